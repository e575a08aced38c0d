"""The screen saver: an AI plays calmly until any user input ends it."""

"""The screen saver: an AI plays calmly until any user input ends it.

`switches` parses the arguments that Windows passes to a screen saver, `lease` ensures that only the
newest of several computes, `drift` keeps the board from burning in, `saver_game` plays, `windows`
shows it and detects user input, `show` puts them together.
"""

"""The screen saver: a player plays on, calmly, and whatever the person does ends it.

`switches` reads what Windows calls a screen saver with, `lease` sees to it that only the newest of
several computes, `drift` keeps the board from burning in, `saver_game` plays, `windows` shows it
and notices the person, `show` puts them together.
"""

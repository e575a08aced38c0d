"""Its presence puts this folder on the import path: its subfolders share modules with it."""

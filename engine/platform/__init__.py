"""What a program needs besides its subject: files, language, errors, compilation, commands."""

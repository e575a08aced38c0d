"""Errors as a person reads them."""

from engine.errors import AppError


def message_of(error: BaseException) -> str:
    """Return what to tell a person of an error, as a sentence."""
    is_ours = isinstance(error, AppError)
    return sentence(str(error) if is_ours else "this is a bug; the log has the details")


def sentence(text: str) -> str:
    """Return an error message, which begins in lower case, as a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")

"""Error messages for display."""

from engine.platform.errors import AppError
from engine.platform.language import tr

_ENDS = (*".!?", "\u3002", "\uff01", "\uff1f")  # of a sentence, in Latin and in Chinese


def message_of(error: BaseException) -> str:
    is_ours = isinstance(error, AppError)
    return sentence(str(error) if is_ours else tr("this is a bug; the log has the details"))


def sentence(text: str) -> str:
    """Return an error message, which begins in lower case, as a sentence; "" for none."""
    if not text:
        return ""
    whole = text[:1].upper() + text[1:]
    return whole if text.endswith(_ENDS) else tr("{sentence}.", sentence=whole)

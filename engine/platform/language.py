"""The language of the program: every text that people read goes through here.

Texts are written in English where they are used, and marked by the function that translates them::

    tr("Build")                                    # a text
    tr("Couldn't read {name}.", name=path.name)    # with values, by name
    trn("{n} move", "{n} moves", n)                # a plural
    trc("verb", "Play")                            # one English word with several translations
    raise AppError("no {name}", name=path.name)    # errors translate texts that have values
    TITLES = (mark("Home"), mark("Game"))          # a constant; later, `tr(TITLES[0])`

``make messages`` collects them into ``engine/platform/languages/*.po`` (gettext), where translators
work, and compiles those. The language in force is the only state here: it is set when the program
starts and when the user chooses another one.
"""

import gettext
import locale
import os
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

LANGUAGES: Mapping[str, str] = MappingProxyType({"en": "English", "zh_CN": "简体中文"})  # no text
"""Language codes, and the names of the languages in themselves."""
PSEUDO = "xx"
"""English with accents and 30 % longer: shows untranslated texts, and layouts without room."""
SYSTEM = "system"
ENVIRONMENT = "ENDGAME2048_LANGUAGE"
FOLDER = Path(__file__).parent / "languages"
_ACCENTS = str.maketrans("aceginorsuyzACEGINORSUYZ", "áçéğíñóŕšúýžÁÇÉĞÍÑÓŔŠÚÝŽ")
_KEPT = re.compile(r"(\{[^{}]*\}|<[^<>]*>|&\w+;|%\([a-z]+\)s|\n)")  # placeholders, tags
_LONGER = 0.3


class Pseudo(gettext.NullTranslations):
    """A pseudo-translation that shows which texts can be translated."""

    def gettext(self, message: str) -> str:
        return _pseudo(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return _pseudo(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        del context
        return _pseudo(message)


class _InForce:
    """The language in force: the only mutable state."""

    code = "en"
    catalogue: gettext.NullTranslations = gettext.NullTranslations()


def resolved(code: str) -> str:
    """Return the language for a choice, which may be `SYSTEM`; English for an unknown one."""
    resolved_code = of_system(os.environ) if code == SYSTEM else code
    return resolved_code if resolved_code in LANGUAGES or resolved_code == PSEUDO else "en"


def use(code: str) -> None:
    """Switch to another language, as for `resolved`; shown texts stay as they are."""
    _InForce.code = resolved(code)
    _InForce.catalogue = _catalogue(_InForce.code)


def in_force() -> str:
    return _InForce.code


def of_system(environment: Mapping[str, str]) -> str:
    """Return the best of our languages for a user with these environment variables.

    >>> of_system({"LANG": "zh_CN.UTF-8"}), of_system({"LANG": "de_DE.UTF-8"})
    ('zh_CN', 'en')
    >>> of_system({"LANG": "zh_CN.UTF-8", "ENDGAME2048_LANGUAGE": "en"})
    'en'
    """
    if chosen := environment.get(ENVIRONMENT):
        return chosen
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name):
            return "zh_CN" if value.lower().startswith("zh") else "en"
    if os.name == "nt":
        chosen = (locale.getlocale()[0] or "").lower()
        return "zh_CN" if chosen.startswith(("zh", "chinese")) else "en"
    return "en"


def translated(code: str, text: str) -> str:
    """Return a text in one of `LANGUAGES`, whichever is in force."""
    return _catalogue(code).gettext(text)


def mark(text: str) -> str:
    """Return a text unchanged: a constant to be translated by `tr` where it is shown."""
    return text


def tr(text: str, /, **values: Any) -> str:
    """Return a text in the language in force, with values in place of ``{name}``.

    >>> tr("Couldn't read {name}.", name="L3.json")
    "Couldn't read L3.json."
    """
    translated = _InForce.catalogue.gettext(text) if text else ""
    return translated.format(**values) if values else translated


def trn(one: str, many: str, n: int, /, **values: Any) -> str:
    """Return the text for `n` things; ``{n}`` stands for their number.

    >>> trn("{n} move", "{n:,} moves", 1), trn("{n} move", "{n:,} moves", 1200)
    ('1 move', '1,200 moves')
    """
    return _InForce.catalogue.ngettext(one, many, n).format(n=n, **values)


def trc(context: str, text: str, /, **values: Any) -> str:
    """Return a text whose translation depends on a context.

    >>> trc("verb", "Play")
    'Play'
    """
    translated = _InForce.catalogue.pgettext(context, text)
    return translated.format(**values) if values else translated


def listed(items: Iterable[str]) -> str:
    """Return items joined by the list separator of the language in force.

    >>> listed(["2", "4", "8"])
    '2, 4, 8'
    """
    return tr("{before}, {item}", before="", item="").join(filter(None, items))


def sentences(*texts: str) -> str:
    """Return the sentences joined, without empty ones.

    >>> sentences("It is here.", "", "Move it.")
    'It is here. Move it.'
    """
    return tr("{before} {sentence}", before="", sentence="").join(filter(None, texts))


@lru_cache(maxsize=4)
def _catalogue(code: str) -> gettext.NullTranslations:
    if code == PSEUDO:
        return Pseudo()
    try:
        with (FOLDER / f"{code}.mo").open("rb") as file:
            return gettext.GNUTranslations(file)
    except OSError:
        return gettext.NullTranslations()  # texts are written in English


def _pseudo(text: str) -> str:
    if text.startswith("["):
        return text  # already translated
    parts = _KEPT.split(text)
    shown = "".join(part if i % 2 else part.translate(_ACCENTS) for i, part in enumerate(parts))
    letters = sum(len(part) for part in parts[::2])
    return f"[{shown}{'~' * max(1, round(letters * _LONGER) - 2)}]" if letters else text

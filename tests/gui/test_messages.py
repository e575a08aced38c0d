"""Errors as a person reads them."""

import pytest

from gui.text.messages import sentence


@pytest.mark.parametrize(
    ("text", "shown"), [("no room", "No room."), ("is it full?", "Is it full?"), ("", "")]
)
def test_an_error_is_a_sentence_and_none_is_no_text(text, shown):
    assert sentence(text) == shown

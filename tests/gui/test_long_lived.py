"""What is loaded is set apart from garbage once, after the first success."""

import gc

import pytest

from gui.long_lived import FreezeOnce


def test_it_happens_once_and_in_this_order() -> None:
    done: list[str] = []
    function = FreezeOnce(
        lambda n: done.append(f"call {n}") or n * 2,
        lambda: done.append("collect"),
        lambda: done.append("freeze"),
    )
    assert [function(1), function(2)] == [2, 4]
    assert done == ["call 1", "collect", "freeze", "call 2"]


def test_it_waits_for_a_success() -> None:
    done: list[str] = []
    answers = [ValueError("no"), 7]

    def sometimes(_: int) -> int:
        answer = answers.pop(0)
        if isinstance(answer, ValueError):
            raise answer
        return answer

    function = FreezeOnce(sometimes, lambda: done.append("collect"), lambda: None)
    with pytest.raises(ValueError, match="no"):
        function(1)
    assert done == []
    assert function(1) == 7
    assert done == ["collect"]


def test_what_is_frozen_is_not_looked_at() -> None:
    try:
        before = gc.get_freeze_count()
        FreezeOnce(lambda n: n)(1)
        assert gc.get_freeze_count() > before + 1000
    finally:
        gc.unfreeze()

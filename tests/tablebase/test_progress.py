"""What a build says of itself: shares that grow to 1, and no time left before it can tell."""

from tablebase.build.progress import Progress, ProgressClock


def reports_of(skip_expand: bool) -> list[Progress]:
    said: list[Progress] = []
    clock = ProgressClock(said.append, 4)
    clock.weigh([100, 200, 300, 400])
    for layer in range(4):
        if skip_expand:
            clock.skip("expand", layer, 10)
        else:
            clock.advance("expand", layer, 10)
    for layer in reversed(range(4)):
        clock.advance("solve", layer, 10 * (4 - layer), 7)
    clock.phase("finish", 3)
    return said


def test_shares_grow_to_one():
    said = reports_of(skip_expand=False)
    shares = [progress.fraction for progress in said]
    assert shares == sorted(shares)
    assert 0 < shares[0] < 1
    assert shares[-1] == 1.0
    assert [progress.phase for progress in said] == ["expand", "solve", "finish"]


def test_a_resumed_build_counts_what_was_done_before():
    first = reports_of(skip_expand=True)[0]
    assert first.phase == "solve"
    assert first.fraction > 0.35  # all of expanding, and the largest layer solved


def test_layers_are_told_with_those_of_an_earlier_run():
    for skip_expand in (False, True):
        assert list(reports_of(skip_expand)[-1].layer_boards) == [10, 10, 10, 10]


def test_the_time_left_is_unknown_until_a_hundredth_is_done():
    said: list[Progress] = []
    clock = ProgressClock(said.append, 2)
    clock.weigh([1, 1_000_000])
    clock.advance("expand", 0, 1)
    assert said[0].eta_s is None

"""A history that forgets nothing."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.practice.tree import MoveTree, Node, Step


def boards(nodes: list[Node]) -> list[int]:
    return [node.step.board for node in nodes]


@pytest.fixture
def tree() -> MoveTree:
    """Return 0 - 1 - 2 - 3, and from 1 another way: 4 - 5, where the person stands."""
    tree = MoveTree(Step(0))
    for board in (1, 2, 3):
        tree.push(Step(board))
    tree.back()
    tree.back()
    for board in (4, 5):
        tree.push(Step(board))
    return tree


def test_another_way_keeps_the_first_one(tree):
    assert boards(tree.line()) == [0, 1, 4, 5]
    fork = tree.line()[1]
    assert boards(fork.children) == [2, 4]
    tree.go(fork.children[0])
    assert boards(tree.line()) == [0, 1, 2, 3]
    assert tree.depth == 2


def test_back_and_forward_go_along_the_line_shown(tree):
    while tree.back():
        pass
    assert tree.depth == 0
    assert boards(tree.line()) == [0, 1, 4, 5]
    seen = [tree.here.step.board]
    while tree.forward():
        seen.append(tree.here.step.board)
    assert seen == [0, 1, 4, 5]


def test_the_same_step_again_is_no_new_way(tree):
    tree.back()
    again = tree.push(Step(5))
    assert again.siblings == [again]


def test_the_same_step_finished_again_is_no_new_way(tree):
    five = tree.here
    five.children.append(Node(Step(6), five))
    tree.back()
    tree.push(Step(9, needs_spawn=True)).is_marked = True
    tree.replace(Step(5))
    assert tree.here is five
    assert five.siblings == [five]
    assert five.is_marked, "what was marked is this place"
    assert (tree.depth, boards(tree.line())) == (3, [0, 1, 4, 5, 6])
    tree.back()
    tree.push(Step(9, needs_spawn=True))
    tree.replace(Step(8))
    assert boards(tree.here.siblings) == [5, 8]


def test_a_grafted_branch_is_walked_like_any_other(tree):
    branch = Node(Step(7, "recording"))
    branch.children.append(Node(Step(8), branch))
    tree.graft(branch)
    assert boards(tree.line()) == [0, 1, 4, 5, 7, 8]
    assert tree.depth == 4


@pytest.mark.thorough
@given(st.lists(st.sampled_from(["push", "back", "forward", "jump"]), max_size=60), st.data())
def test_depth_and_line_always_agree(acts, data):
    tree, known = MoveTree(Step(0)), [0]
    nodes = [tree.root]
    for number, act in enumerate(acts, 1):
        if act == "push":
            nodes.append(tree.push(Step(number)))
            known.append(number)
        elif act == "back":
            tree.back()
        elif act == "forward":
            tree.forward()
        else:
            tree.go(data.draw(st.sampled_from(nodes)))
        line = tree.line()
        assert line[0] is tree.root
        assert line[tree.depth] is tree.here
        assert all(after.parent is before for before, after in pairwise(line))
        assert not line[-1].children

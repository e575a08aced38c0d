"""The history of a practice game as a tree: going back loses no moves. No Qt.

A *line* is a path from the root to a leaf; the line shown leads through the current node, and from
there through the children visited last.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.formats.replay import Rates
from engine.trace import Slide


@dataclass(frozen=True)
class Step:
    """One entry of the history."""

    board: int  # the position after the step
    kind: str = "start"  # "start", "move", "spawn", "edit", "turn" or "recording"
    direction: int | None = None  # the direction of a move
    slides: tuple[Slide, ...] = ()  # tile movements, for the animation
    spawned: tuple[int, int] | None = None  # (cell, exponent) or None: the tile that appeared
    needs_spawn: bool = False  # whether the board still waits for its new tile


@dataclass(eq=False)
class Node:
    """A place in the tree."""

    step: Step
    parent: "Node | None" = None  # None for the root
    children: "list[Node]" = field(default_factory=list)  # in the order they were first played
    # tuple of four rates, or None: the recorded rates of the position.
    recorded: Rates | None = None
    name: str = ""  # of the recording that begins here; "" elsewhere
    is_marked: bool = False  # whether there is a bookmark here
    _last: "Node | None" = None
    _moves_before: int = 0

    @property
    def n_moves(self) -> int:
        """The number of moves of a recording up to here: those since the board was last set."""
        step = self.step
        if step.kind == "move":
            return self._moves_before + (not step.needs_spawn)
        is_tile = step.kind == "spawn" and self.parent and self.parent.step.kind == "move"
        return self._moves_before + 1 if is_tile else 0

    @property
    def next(self) -> "Node | None":
        """The child visited last, else the first one."""
        return self._last or (self.children[0] if self.children else None)

    @property
    def siblings(self) -> "list[Node]":
        """All variations at this place, including this one."""
        return self.parent.children if self.parent else [self]

    def add(self, step: Step) -> "Node":
        """Return the child with this step, existing or new."""
        for child in self.children:
            if child.step == step:
                return child
        child = Node(step, self, _moves_before=self.n_moves)
        self.children.append(child)
        return child

    def way(self) -> "Iterator[Node]":
        node: Node | None = self
        while node:
            yield node
            node = node.parent

    def visit(self) -> None:
        child = self
        for node in self.way():
            if node is not child:
                node._last = child
            child = node


class MoveTree:
    """A tree and the current node.

    `here` is read only: use the methods to move.
    """

    def __init__(self, step: Step) -> None:
        self.root = self.here = Node(step)
        self.depth = 0

    def line(self) -> list[Node]:
        nodes = list(self.here.way())[::-1]
        node = self.here.next
        while node:
            nodes.append(node)
            node = node.next
        return nodes

    def push(self, step: Step) -> Node:
        """Take a step from here; what followed so far stays as a variation."""
        child = self.here.add(step)
        self.here._last = child
        self.here, self.depth = child, self.depth + 1
        return child

    def replace(self, step: Step) -> None:
        """Replace the current, unfinished step; what was played before is no new variation."""
        here = self.here
        same = next((o for o in here.siblings if o is not here and o.step == step), None)
        if same is None or here.parent is None or here.children:
            here.step = step
            return
        same.is_marked |= here.is_marked
        here.parent.children.remove(here)
        here.parent._last = self.here = same

    def back(self) -> bool:
        if self.here.parent is None:
            return False
        self.here, self.depth = self.here.parent, self.depth - 1
        return True

    def forward(self) -> bool:
        if (child := self.here.next) is None:
            return False
        self.here._last = child
        self.here, self.depth = child, self.depth + 1
        return True

    def go(self, node: Node) -> None:
        node.visit()
        self.here, self.depth = node, sum(1 for _ in node.way()) - 1

    def graft(self, branch: Node) -> None:
        branch.parent = self.here
        self.here.children.append(branch)
        self.go(branch)

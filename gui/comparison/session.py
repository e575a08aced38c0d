"""Two courses and the current move in both. No Qt."""

from coach.explanations.course import Course, Place

PLAYED, BEST = 0, 1


class ComparisonSession:
    """Two courses that are stepped through together; the shorter one waits at its end.

    Attributes
    ----------
    courses : list of Course
        Of the move, and of the best one.
    at : int
        Number of moves made.
    seed : int
        Seed of the new tiles that both share.
    """

    def __init__(self, courses: tuple[Course, Course], seed: int) -> None:
        self.courses, self.seed, self.at = list(courses), seed, 0

    @property
    def n_moves(self) -> int:
        """The number of moves of the longer course."""
        return max(map(len, self.courses)) - 1

    @property
    def is_at_end(self) -> bool:
        """Whether both courses end here."""
        return self.at >= self.n_moves

    @property
    def is_over(self) -> bool:
        """Whether neither course can go on."""
        return all(course[-1].is_over for course in self.courses)

    def place(self, side: int) -> Place:
        """Return the current position on a side."""
        course = self.courses[side]
        return course[min(self.at, len(course) - 1)]

    def up_to_here(self, side: int) -> Course:
        """Return a course up to the current move."""
        return self.courses[side][: self.at + 1]

    def next_move(self, side: int) -> int | None:
        """Return the next move of the course, or the best one at its end."""
        course = self.courses[side]
        if self.at + 1 < len(course):
            return course[self.at + 1].direction
        return course[-1].look.certain_best

    def go_to(self, at: int) -> bool:
        """Go to a move, or as far as possible; return whether that changed anything."""
        at = max(0, min(self.n_moves, at))
        is_other, self.at = at != self.at, at
        return is_other

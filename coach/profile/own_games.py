"""A person's own games after an analysis: mistakes to drill, and moves for the profile."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from coach.analysis.analyze import GameReport
from coach.mistakes.mistakes import Mistakes
from coach.profile.facts import JudgedMoves
from coach.profile.filing import file_game, file_parts
from coach.profile.judged_moves import judged_moves
from coach.record.user_database import UserDatabase
from coach.recordings.recording import written_at
from coach.whole_game.analysis import Analyzed
from engine.platform.user_folders import UserFolders
from tablebase.formation.formation import Formation
from tablebase.formation.patterns_file import load_formations

_SPAWN4 = 0.1  # the value for all games that search judges


@dataclass(frozen=True)
class FiledGame:
    """The numbers of mistakes and moves stored from a game."""

    n_mistakes: int  # mistakes to drill, including those filed before
    n_moves: int  # moves that count in the profile


@dataclass(frozen=True)
class OwnGames:
    """The databases that store a person's games."""

    mistakes: Mistakes
    facts: JudgedMoves
    formations: Mapping[str, Formation]  # by name

    @classmethod
    def opened(
        cls, database: UserDatabase, folders: UserFolders, threshold: float, stack: ExitStack
    ) -> "OwnGames":
        """Return a store with the databases of the data folder, open until `stack` closes."""
        mistakes = Mistakes(database, threshold)
        stack.callback(mistakes.close)
        facts = JudgedMoves(database)
        stack.callback(facts.close)
        return cls(mistakes, facts, load_formations(own=folders.patterns))

    def keep(self, path: Path, report: GameReport, game: Analyzed | None) -> FiledGame:
        """Store an analyzed game: all of it if judged as a whole, else what tables cover.

        The profile only takes whole games: parts would say more about the tables than the person. A
        canceled analysis counts as far as it got, until the game is analyzed fully; one that got
        less far than an earlier one changes nothing in the profile. The file gives the name for its
        mistakes and the time it was played.
        """
        when = written_at(path) or datetime.now(timezone.utc)
        if game is None:
            filed = file_parts(self.mistakes, report, self.formations, path.name, when)
            return FiledGame(len(filed), 0)
        moves = list(judged_moves(game.recording, self.formations))
        known = self.facts.n_moves_of(game.recording)
        if game.is_done or len(moves) >= known:
            self.facts.put_game(game.recording, moves, when)
            known = len(moves)
        filed = file_game(self.mistakes, moves, _SPAWN4, game.recording.name, when)
        return FiledGame(len(filed), known)

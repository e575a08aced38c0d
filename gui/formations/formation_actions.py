"""The editor and its requests: saving, deleting with undo, text in and out."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from engine.platform.errors import AppError
from engine.platform.language import sentences, tr
from gui.formations.editor import FormationEditor
from gui.formations.text import tables_text
from gui.settings_model.settings import Settings
from gui.table_work.table_service import TablesService
from gui.text.messages import message_of
from gui.widgets.banner import BannerStack, Offer
from gui.work.tasks import TaskRunner
from tablebase.formation.goal import Goal, goal_of

if TYPE_CHECKING:
    from gui.formations.drawing_edit import Unsaved
    from tablebase.formation.formation import Formation
    from tablebase.formation.own_file import FileChange
    from tablebase.library.table_info import TableInfo

_NEWS = "formation"


class DeletedFormation(NamedTuple):
    """A formation that was deleted, and what that did to the file."""

    formation: "Formation"
    changed: "FileChange"
    goals: Sequence[Goal]  # of its tables, which stay


class Drawings(NamedTuple):
    """Drawings that are not saved: the open one, and what a message offers to restore."""

    opened: "Unsaved | None"
    offered: "Unsaved | DeletedFormation | None"


class FormationActions(QObject):
    """Opens the editor on one formation at a time, and changes the user's file."""

    opened = Signal()
    closed = Signal()
    changed = Signal(str)  # the file changed; the name of the saved formation, "" after a deletion

    def __init__(
        self,
        service: TablesService,
        tasks: TaskRunner,
        settings: Settings,
        banners: BannerStack,
        parent: QObject | None = None,
        estimates: TaskRunner | None = None,
    ) -> None:
        super().__init__(parent)
        self._service, self._tasks, self._banners = service, tasks, banners
        self._formations: Mapping[str, Formation] = {}
        self._tables: Sequence[TableInfo] = ()
        self.is_open = False
        self._offered: Offer[Unsaved | DeletedFormation] = Offer(banners, _NEWS)
        self.last_target: Goal | int = 128  # the one shown last
        self.editor = FormationEditor(service, estimates or tasks, settings)
        self.editor.hide()
        self.editor.footer.hide()
        self.editor.save_requested.connect(self._save)
        self.editor.close_requested.connect(self.close)
        self.editor.delete_requested.connect(self._delete)
        self.editor.copy_requested.connect(self._copy)
        self.editor.paste_requested.connect(self._paste)

    def set_formations(self, formations: "Mapping[str, Formation]") -> None:
        self._formations = formations

    def set_tables(self, tables: "Sequence[TableInfo]") -> None:
        self._tables = tables
        self.editor.set_tables(self._targets_of(self.editor.original))

    def draw_new(self) -> None:
        self._open(None, self._free_name("Mine"), "")  # no text

    def edit(self, name: str) -> None:
        formation = self._formations.get(name)
        if formation:
            own = name in self._service.formation_files.own
            self._open(formation, name if own else self._free_name(name), name if own else "")

    def close(self) -> None:
        editor = self.editor
        self._hide()
        if editor.is_changed and any(editor.edit.drawing.masks):
            self._offer(editor.unsaved)

    def state(self) -> "Drawings":
        return Drawings(self.editor.unsaved if self.is_open else None, self._offered.what)

    def restore(self, state: "Drawings", formations: "Mapping[str, Formation]") -> None:
        """Go on with drawings; `formations` are those known until the file is read again."""
        self._formations = formations
        if state.opened:
            self._reopen(state.opened)
        elif isinstance(state.offered, DeletedFormation):
            self._offer_undo(state.offered)
        elif state.offered:
            self._offer(state.offered)

    def _offer(self, unsaved: "Unsaved") -> None:
        again = (tr("Continue drawing"), lambda: self._reopen(unsaved))
        text = tr("The drawing wasn't saved.")
        self._offered.show("info", text, again, unsaved)

    def _offer_undo(self, deleted: DeletedFormation) -> None:
        gone = tr("{name} was deleted.", name=deleted.formation.name)
        text = sentences(gone, tables_text(deleted.goals))
        kind, text = _news(text, deleted.changed, "info")
        self._offered.show(kind, text, (tr("Undo"), lambda: self._restore(deleted)), deleted)

    def _open(self, formation: "Formation | None", name: str, original: str) -> None:
        self._banners.remove(_NEWS)
        self.is_open = True
        self.editor.show()
        self.editor.footer.show()
        self.opened.emit()
        self.editor.show_formation(formation, name, original, list(self._formations))
        self.editor.set_tables(self._targets_of(original))
        self.editor.board.setFocus()

    def _reopen(self, unsaved: "Unsaved") -> None:
        formation = self._formations.get(unsaved.original)
        self._open(formation, unsaved.name, unsaved.original)
        self.editor.take_unsaved(unsaved)

    def _hide(self) -> None:
        self.is_open = False
        self.last_target = self.editor.cost_view.target or self.last_target
        self.editor.hide()
        self.editor.footer.hide()
        self.editor.cost_view.show_formation(None)
        self.closed.emit()

    def _save(self, formation: "Formation") -> None:
        editor, service = self.editor, self._service
        original, edit = editor.original, editor.edit

        def done(changed: "FileChange") -> None:
            if self.is_open and editor.formation == formation:
                self._hide()
            elif self.is_open and editor.edit is edit:  # went on meanwhile
                editor.note_saved(formation.name)
            text = tr("{name} is saved. Choose a target and build it.", name=formation.name)
            kind, text = _news(text, changed, "good")
            self._banners.show_message(kind, text, key=_NEWS)
            self.changed.emit(formation.name)

        self._tasks.run(lambda: service.save_formation(formation, original), done, self._fail)

    def _delete(self) -> None:
        name, service = self.editor.original, self._service
        formation = self._formations.get(name)
        if formation is None:
            return

        def done(changed: "FileChange") -> None:
            if self.is_open and self.editor.original == name:
                self._hide()
            self._offer_undo(DeletedFormation(formation, changed, self._targets_of(name)))
            self.changed.emit("")

        self._tasks.run(lambda: service.delete_formation(name), done, self._fail)

    def _restore(self, deleted: DeletedFormation) -> None:
        formation = deleted.formation
        self._tasks.run(
            lambda: self._service.save_formation(formation, place=deleted.changed.place),
            lambda _: self.changed.emit(formation.name),
            lambda error: self._fail_to_restore(deleted, error),
        )

    def _fail_to_restore(self, deleted: DeletedFormation, error: BaseException) -> None:
        again = (tr("Undo"), lambda: self._restore(deleted))
        self._offered.show("bad", message_of(error), again, deleted)

    def _fail(self, error: BaseException) -> None:
        self._banners.show_message("bad", message_of(error), key=_NEWS)

    def _copy(self) -> None:
        from tablebase.formation.own_file import formation_text

        if self.editor.formation:
            QGuiApplication.clipboard().setText(formation_text(self.editor.formation))
            self._banners.show_message("good", tr("Copied. Paste it anywhere as text."), key=_NEWS)

    def _paste(self) -> None:
        from tablebase.formation.own_file import parse_formation_text

        try:
            formation = parse_formation_text(QGuiApplication.clipboard().text())
        except AppError as error:
            self._banners.show_message(
                "bad", tr("There's no formation on the clipboard: {error}.", error=error), key=_NEWS
            )
            return
        self._banners.remove(_NEWS)
        self.editor.take_pasted(formation)

    def _free_name(self, name: str) -> str:
        taken = {other.lower() for other in self._formations}
        names = (name, *(f"{name[:29]}{n}" for n in range(2, 1000)))
        return next(free for free in names if free.lower() not in taken)

    def _targets_of(self, name: str) -> list[Goal]:
        goals = {goal_of(table.target) for table in self._tables if table.pattern == name}
        return sorted(goals, key=lambda goal: goal.order)


def _news(text: str, changed: "FileChange", kind: str) -> tuple[str, str]:
    """Return the kind of a message and its text, which also says what became of the file."""
    if not changed.old_file:
        return kind, text
    rewritten = tr(
        "Your file of formations had to be rewritten; the old one is {file}.", file=changed.old_file
    )
    return "warning", sentences(text, rewritten)

/** Train: positions of a table with only one good move, and the positions of one's own mistakes. */

import { cross } from "./cross.js";
import { choice, element, figures } from "./dom.js";
import { DIRECTIONS, Rng, boardText, drawTile, readBoard, withTile } from "./rules.js";
import { ask } from "./service.js";
import { mark, perfectText, t } from "./text.js";
import { BAD, TrainingPage, bestOf, dropMistake, mistakesOf, newSeed, ratesOf, slideOf } from "./training.js";

const MOST_POSITIONS = 1000; // looked at for a question
const WRONG = BAD.slice(1); // what every other move of a puzzle is

export class TrainPage extends TrainingPage {
  title = mark("Train");
  isOfMistakes = false;

  /** Go on from a position to the next question; other moves than those are made unseen. */
  async look(given) {
    const asked = ++this.asked;
    this.isWaiting = true;
    this.last = null;
    this.desk.board.point(null);
    this.desk.tell(t("Looking for a position…"));
    this.desk.refresh();
    if (this.isOfMistakes && !given.board) given = this.firstMistake();
    try {
      for (let n = 0; given && n < MOST_POSITIONS; n++) {
        this.question = given;
        const found = await ask("/judge", { table: this.table, ...given });
        if (asked !== this.asked) return;
        if (this.isOfMistakes ? found.best.length : isPuzzle(found)) {
          this.put(found);
          return;
        }
        if (this.isOfMistakes) dropMistake(this.table, given.board); // another table has this name now
        given = this.isOfMistakes ? this.firstMistake() : follower(found);
      }
      this.isWaiting = false;
      this.cells = null;
      const none = given ? mark("No position was found with only one good move. Try another table.") : mark("No mistakes are left.");
      this.desk.tell(t(none));
    } catch (error) {
      if (asked !== this.asked) return;
      this.isWaiting = false;
      this.isUnanswered = true;
      this.desk.tellError(error);
    }
    this.desk.refresh();
  }

  put(position) {
    this.isWaiting = false;
    this.isUnanswered = false;
    this.position = position;
    this.cells = readBoard(position.board);
    this.desk.tell("");
    this.show();
    this.desk.refresh();
  }

  move(direction) {
    if (this.isUnanswered) this.askAgain();
    if (this.isWaiting || this.isUnanswered || this.last || !this.cells) return;
    const entry = this.entryOf(direction);
    if (!entry) return;
    this.last = { cells: this.cells, direction: DIRECTIONS[direction], position: this.position, ...entry };
    this.moves.push(this.last);
    this.remember(this.last);
    if (entry.grade === "perfect") dropMistake(this.table, boardText(this.cells));
    this.desk.tell("");
    this.desk.board.point(DIRECTIONS.indexOf(bestOf(this.position)));
    this.desk.refresh();
  }

  choosePositions(areMistakes) {
    this.isOfMistakes = areMistakes;
    this.startFromList();
  }

  next() {
    if (this.isUnanswered) this.askAgain();
    else if (!this.isWaiting) this.look(this.isOfMistakes ? {} : follower(this.position));
  }

  /** Return the position of the mistake that was made longest ago; null if none is left. */
  firstMistake() {
    const [board] = mistakesOf(this.table);
    return board ? { board, follows: true } : null;
  }

  actions() {
    const isOff = !this.position || this.isWaiting;
    return [{ text: t("Next position"), key: "n", key2: "Enter", run: () => this.next(), isOff, isMain: Boolean(this.last) }];
  }

  panel() {
    const empty = this.emptyPanel();
    if (empty) return empty;
    const { judged, perfect, streak } = this.score();
    const kinds = [["", t("Only one good move")], ["mistakes", t("Your mistakes ({n})", { n: mistakesOf(this.table).length })]];
    return element(
      "div",
      { class: "panel" },
      this.last
        ? cross(ratesOf(this.position), this.position.best, this.last.direction, null)
        : element("div", { class: "cross hidden-rates" }, element("p", { class: "quiet" }, this.isWaiting ? "" : t("Which move is best?"))),
      element("p", { class: "sentence" }, ...this.verdict()),
      element(
        "div",
        { class: "card" },
        this.tableChoice(),
        choice(t("Positions"), kinds, this.isOfMistakes ? "mistakes" : "", (kind) => this.choosePositions(Boolean(kind))),
      ),
      figures(judged ? [[t("Correct"), perfectText(perfect, judged)], [t("Streak"), streak]] : []),
    );
  }
}

/** Tell whether one move is good, every other a mistake or worse, and another merges at least as much. */
function isPuzzle({ board, walls, moves, best, at_least }) {
  const rated = DIRECTIONS.filter((name) => moves[name]);
  if (at_least || best.length !== 1 || rated.length < 2) return false;
  const gained = (name) => slideOf(readBoard(board), walls, DIRECTIONS.indexOf(name)).gained;
  const others = rated.filter((name) => name !== best[0]);
  return others.every((name) => WRONG.includes(moves[name].grade)) && others.some((name) => gained(name) >= gained(best[0]));
}

/** Return what to ask after a position: the one that follows the best move, or a start position. */
function follower(position) {
  const best = position && !position.end && bestOf(position);
  if (!best) return { seed: newSeed() };
  const { cells } = slideOf(readBoard(position.board), position.walls, DIRECTIONS.indexOf(best));
  return { board: boardText(withTile(cells, drawTile(cells, new Rng(newSeed()), position.spawn4))), follows: true };
}

/** Practice and Test on the service's tables: rates beside the board, or after the last move. */

import { cross } from "./cross.js";
import { choice, element, figures } from "./dom.js";
import { DIRECTIONS, LOCKED, WALLS, boardText, drawTestTile, isSame, readBoard, slide, withTile } from "./rules.js";
import { ask } from "./service.js";
import { gradeWord, lossTexts, mark, matchText, moveWord, perfectText, t, tableTitle } from "./text.js";

const TABLE = "table";
const LENGTHS = [0, 20, 50, 100];
const MOST_SEED = 2 ** 48;
const WORST = 8;
const PACE_MS = 200;
const USABLE = ["complete", "away"];
const MISTAKES = "mistakes";
const MOST_MISTAKES = 200;

/** The grades of a mistake, with inaccuracies. */
export const BAD = ["inaccurate", "mistake", "blunder", "disaster"];

const ENDS = {
  reached: mark("You reached the target."),
  "no move": mark("No move keeps the formation any more."),
  lost: mark("The target can't be reached any more."),
  outside: mark("The table doesn't know this position."),
  moves: mark("That was the last move."),
};

export const newSeed = () => Math.floor(Math.random() * MOST_SEED);

/** Return the positions of mistakes by table, oldest first; this browser keeps them. */
function readMistakes() {
  try {
    return new Map(JSON.parse(localStorage.getItem(MISTAKES)) ?? []);
  } catch {
    return new Map();
  }
}

export const mistakesOf = (table) => readMistakes().get(table) ?? [];

export function dropMistake(table, board) {
  setMistakes(table, mistakesOf(table).filter((one) => one !== board));
}

function setMistakes(table, boards) {
  localStorage.setItem(MISTAKES, JSON.stringify([...readMistakes().set(table, boards.slice(-MOST_MISTAKES))]));
}

export class TrainingPage {
  constructor(desk) {
    this.desk = desk;
    this.tables = null;
    this.asked = 0; // answers that come too late are ignored
    this.entered = 0; // likewise of the question for tables
    this.question = null;
    this.isWaiting = false;
    this.isUnanswered = false; // the known rates belong to another position
    this.pace = null;
    this.restart(0);
  }

  restart(seed) {
    this.seed = seed;
    this.position = null;
    this.cells = null;
    this.moves = []; // {board, entry, direction, position}
    this.last = null;
    this.end = null;
    this.waiting = [];
    this.isPlaying = false;
    this.isUnanswered = false;
  }

  async enter() {
    if (this.cells) this.show();
    else this.desk.board.show(new Array(16).fill(0), 4);
    const isOpen = this.tables?.length > 0;
    if (isOpen && this.isWaiting) this.look(this.question); // its answer was ignored on another page
    const entered = ++this.entered;
    let found;
    try {
      const { tables } = await ask("/tables"); // one may have been built since the last time
      found = tables.filter((one) => USABLE.includes(one.state)).map((one) => one.name);
    } catch (error) {
      if (entered === this.entered && !isOpen) this.desk.tellError(error);
      return;
    }
    if (entered !== this.entered) return;
    this.tables = isOpen && !found.includes(this.table) ? [this.table, ...found] : found;
    if (!isOpen) {
      const kept = localStorage.getItem(TABLE);
      this.table = found.includes(kept) ? kept : found[0];
      if (this.table && !this.cells) this.start(newSeed());
    }
    this.desk.refresh();
  }

  leave() {
    this.isPlaying = false;
    this.waiting = [];
    this.asked += 1;
    this.entered += 1;
  }

  show(motion = null) {
    const { walls, locked } = this.position;
    this.desk.board.show(this.cells, 4, motion, { locked, walls });
  }

  async start(seed) {
    this.restart(seed);
    this.desk.tell("");
    this.desk.board.point(null);
    await this.look({ seed });
  }

  /** Start the choice from a list; the arrow keys control the board again. */
  startFromList() {
    this.desk.toBoard();
    this.start(newSeed());
  }

  /** Ask about the position; without one the table draws one. */
  async look(given) {
    const asked = ++this.asked;
    this.question = given;
    this.isWaiting = true;
    try {
      const found = await ask("/judge", { table: this.table, ...given });
      if (asked !== this.asked) return;
      this.isWaiting = false;
      this.isUnanswered = false;
      this.position = found;
      if (!this.cells) {
        this.cells = readBoard(found.board);
        this.show();
      }
      this.end = found.end ?? (this.isLong() ? "moves" : null);
      if (this.end) this.finished();
      this.desk.refresh();
      this.goOn();
    } catch (error) {
      if (asked !== this.asked) return;
      this.isWaiting = false;
      this.isUnanswered = true;
      this.waiting = [];
      this.isPlaying = false;
      this.desk.tellError(error);
      this.desk.refresh();
    }
  }

  /** Make the moves whose keys were pressed during the lookup; a refused one is no reason to wait. */
  goOn() {
    while (this.waiting.length && !this.isWaiting && !this.end) this.move(this.waiting.shift());
    if (this.isPlaying && !this.isWaiting && !this.end) {
      clearTimeout(this.pace); // of a run that was stopped meanwhile
      this.pace = setTimeout(() => this.isPlaying && this.playBest(), PACE_MS);
    }
  }

  isLong() {
    return false;
  }

  finished() {
    this.isPlaying = false;
    this.waiting = [];
    this.desk.tell(t(ENDS[this.end]));
  }

  move(direction) {
    if (this.end) return;
    if (this.isWaiting) {
      if (this.cells && this.waiting.length < 2) this.waiting.push(direction);
      return;
    }
    if (this.isUnanswered) {
      this.askAgain();
      return;
    }
    const entry = this.cells && this.entryOf(direction);
    if (!entry) return;
    const { cells, gained, slides } = slideOf(this.cells, this.position.walls, direction);
    const tile = drawTestTile(cells, this.seed, this.moves.length, this.position.spawn4);
    this.last = { cells: this.cells, direction: DIRECTIONS[direction], position: this.position, ...entry };
    this.moves.push(this.last);
    this.remember(this.last);
    this.cells = withTile(cells, tile);
    const motion = { direction, slides, tile, gained };
    this.show(motion);
    this.desk.readMove(motion, 4);
    this.desk.tell("");
    this.desk.board.point(null);
    this.desk.refresh();
    this.look({ board: boardText(this.cells), follows: true });
  }

  /** Return what the table knows of a move; undefined if it is not legal, null after saying what is missing. */
  entryOf(direction) {
    const { walls, moves, breaking } = this.position;
    const name = DIRECTIONS[direction];
    if (isSame(slideOf(this.cells, walls, direction).cells, this.cells)) return undefined;
    if (moves[name]) return moves[name];
    const text = breaking.includes(name)
      ? t("{move} breaks the formation, so the table can't rate it. Try another move.", { move: moveWord(name) })
      : t("The table doesn't know what {move} is worth. Try another move.", { move: moveWord(name) });
    this.desk.tell(text, true);
    return null;
  }

  /** Keep the position of a mistake for Train. */
  remember({ cells, grade }) {
    if (!BAD.includes(grade)) return;
    dropMistake(this.table, boardText(cells));
    setMistakes(this.table, [...mistakesOf(this.table), boardText(cells)]);
  }

  /** Take back the last key that was pressed: a move that waits for the lookup, or else the last move made. */
  undo() {
    this.isPlaying = false;
    if (this.waiting.length || !this.moves.length) {
      this.waiting.pop();
      this.desk.refresh();
      return;
    }
    this.asked += 1; // the answer about the board that is left is of no use
    this.isWaiting = false;
    const last = this.moves.pop();
    this.cells = last.cells;
    this.position = last.position;
    this.last = this.moves.at(-1) ?? null;
    this.end = null;
    this.isUnanswered = false;
    this.desk.tell("");
    this.desk.board.point(null);
    this.show();
    this.desk.refresh();
  }

  askAgain() {
    this.desk.tell("");
    this.look(this.question);
  }

  playBest() {
    if (this.isWaiting || this.end || !this.cells) return;
    const best = bestOf(this.position);
    if (this.isUnanswered) this.askAgain();
    else if (best) this.move(DIRECTIONS.indexOf(best));
  }

  playOn() {
    this.isPlaying = !this.isPlaying;
    this.desk.refresh();
    if (this.isPlaying) this.playBest();
  }

  score() {
    const judged = this.moves.filter((one) => one.grade);
    const perfect = judged.filter(({ grade }) => grade === "perfect").length;
    let streak = 0;
    let longest = 0;
    for (const { grade } of judged) {
      streak = grade === "perfect" ? streak + 1 : 0;
      longest = Math.max(longest, streak);
    }
    const matchRate = judged.reduce((product, one) => product * one.ratio, 1);
    return { judged: judged.length, perfect, streak, longest, matchRate };
  }

  verdict() {
    if (!this.last?.grade) return [];
    const { direction, grade, position } = this.last;
    const loss = lossOf(this.last);
    if (!loss) return [gradeMark(grade), ` ${moveWord(direction)}`];
    const best = position.best.map(moveWord).join(" / ");
    return [gradeMark(grade), " ", t("{move}: {loss}. Best: {best}.", { move: moveWord(direction), loss, best })];
  }

  tableChoice() {
    const tables = this.tables.map((name) => [name, tableTitle(name)]);
    return choice(t("Table"), tables, this.table, (name) => {
      this.table = name;
      localStorage.setItem(TABLE, name);
      this.startFromList();
    });
  }

  /** Return the text shown instead of a panel if there is nothing to train on; null otherwise. */
  emptyPanel() {
    if (!this.tables) return element("div", { class: "panel" }, element("p", { class: "quiet" }, t("Looking for tables…")));
    if (this.tables.length) return null;
    return element(
      "div",
      { class: "panel" },
      element("p", {}, t("This page needs a finished table. Build one on this machine, for example with:")),
      element("pre", {}, "endgame2048 build 442 128"),
    );
  }
}

export const slideOf = (cells, walls, direction) => slide(cells, 4, direction, walls ? WALLS : LOCKED);

/** Return a best move, of lower bounds the one with the highest; undefined if no move is rated. */
export function bestOf({ best, moves }) {
  const rated = DIRECTIONS.filter((name) => moves[name]);
  const top = Math.max(...rated.map((name) => moves[name].rate));
  return best[0] ?? rated.find((name) => moves[name].rate === top);
}

export function ratesOf(position) {
  const known = Object.values(position.moves).filter(Boolean);
  const top = Math.max(...known.map((one) => one.rate));
  return Object.fromEntries(
    DIRECTIONS.map((name) => {
      const entry = position.moves[name];
      const isBound = position.at_least && entry?.rate < 1; // the lower bound may be the better move
      if (isBound) return [name, { value: entry.rate, loss: 0, note: "", isBound }];
      if (entry) return [name, { value: entry.rate, loss: entry.points_lost ?? top - entry.rate }];
      const note = position.breaking.includes(name) ? t("breaks the formation") : null;
      return [name, note && { value: null, text: "", note }];
    }),
  );
}

function lossOf({ direction, position }) {
  const rates = DIRECTIONS.map((name) => position.moves[name]?.rate ?? null);
  return lossTexts(rates)[DIRECTIONS.indexOf(direction)];
}

const scoreFigures = ({ judged, perfect, matchRate }, streak) =>
  figures(
    judged
      ? [[t("Perfect moves"), perfectText(perfect, judged)], [t("Chance kept"), matchText(matchRate)], [t("Streak"), streak]]
      : [],
  );

const gradeMark = (grade) =>
  element("span", { class: `grade ${grade}` }, gradeWord(grade));

export class PracticePage extends TrainingPage {
  title = mark("Practice");
  areRatesShown = true;

  actions() {
    const isOff = !this.cells || Boolean(this.end);
    return [
      { text: t("Undo"), key: "Backspace", key2: "Ctrl+z", run: () => this.undo(), isOff: !this.moves.length },
      { text: t("Hint"), key: "b", run: () => this.hint(), isOff },
      { text: this.isPlaying ? t("Stop") : t("Play"), key: " ", run: () => this.playOn(), isOn: this.isPlaying, isOff },
      { text: t("New"), key: "n", run: () => this.start(newSeed()), isOff: !this.table },
      { text: t("Best move"), key: "Enter", run: () => this.playBest(), isMore: true, isOff },
      { text: t("Again"), key: "Shift+n", run: () => this.start(this.seed), isMore: true, isOff: !this.table },
      { text: t("Guess first"), key: "x", run: () => this.toggleRates(), isOn: !this.areRatesShown, isMore: true },
      { text: t("Stop"), key: "Escape", run: () => this.playOn(), isKey: true, isOff: !this.isPlaying },
    ];
  }

  hint() {
    const isKnown = !this.isWaiting && !this.isUnanswered;
    const best = isKnown && this.desk.board.arrow.hidden && bestOf(this.position);
    this.desk.board.point(best ? DIRECTIONS.indexOf(best) : null);
  }

  toggleRates() {
    this.areRatesShown = !this.areRatesShown;
    this.desk.refresh();
  }

  panel() {
    const empty = this.emptyPanel();
    if (empty) return empty;
    const { streak, ...score } = this.score();
    return element(
      "div",
      { class: "panel" },
      this.areRatesShown && this.position && !this.isUnanswered && Object.values(this.position.moves).some(Boolean)
        ? cross(ratesOf(this.position), this.position.best, null, (direction) => this.move(direction))
        : this.noRates(),
      element("p", { class: "sentence" }, ...this.verdict()),
      element("div", { class: "card" }, this.tableChoice()),
      scoreFigures(score, streak),
    );
  }

  noRates() {
    const words = this.isUnanswered ? t("The table didn't answer. Move again to retry.") : "";
    return element("div", { class: "cross hidden-rates" }, element("p", { class: "quiet" }, words));
  }
}

export class TestPage extends TrainingPage {
  title = mark("Test");
  length = LENGTHS[1];
  shown = null; // the move that is looked at after the end

  restart(seed) {
    super.restart(seed);
    this.shown = null;
  }

  enter() {
    const entered = super.enter();
    if (this.shown !== null) this.lookAt(this.shown); // the panel still shows this move
    return entered;
  }

  isLong() {
    return this.length > 0 && this.moves.length >= this.length;
  }

  move(direction) {
    if (this.shown === null) super.move(direction);
  }

  actions() {
    return [
      { text: t("New"), key: "n", run: () => this.start(newSeed()), isOff: !this.table, isMain: Boolean(this.end) },
      { text: t("Again"), key: "Shift+n", run: () => this.start(this.seed), isOff: !this.moves.length },
      { text: t("End the test"), key: "Escape", run: () => this.stopTest(), isOff: !this.moves.length },
    ].slice(0, this.end ? 2 : 3);
  }

  stopTest() {
    this.asked += 1;
    this.isWaiting = false;
    this.end = "moves";
    this.desk.tell("");
    this.desk.refresh();
  }

  panel() {
    const empty = this.emptyPanel();
    if (empty) return empty;
    return this.end ? this.result() : this.underWay();
  }

  underWay() {
    const lengths = LENGTHS.map((n) => [n, n ? t("{n} moves", { n }) : t("Until the target")]);
    return element(
      "div",
      { class: "panel" },
      element("p", { class: "sentence" }, this.progress()),
      element(
        "div",
        { class: "card" },
        this.tableChoice(),
        choice(t("Length"), lengths, this.length, (value) => {
          this.length = Number(value);
          this.startFromList();
        }),
      ),
    );
  }

  progress() {
    const n = this.moves.length;
    if (!n) return t("Rates and grades come at the end.");
    return this.length ? t("Move {n} of {length}", { n, length: this.length }) : t("Move {n}", { n });
  }

  /** Return the moves that cost most, with their places. */
  worst() {
    return this.moves
      .map((one, i) => ({ ...one, i }))
      .filter((one) => one.grade && one.grade !== "perfect")
      .sort((one, other) => one.ratio - other.ratio)
      .slice(0, WORST);
  }

  /** Say how it went, above these moves. */
  summary() {
    if (this.worst().length) return t("What cost most");
    return this.score().judged ? t("Every move was perfect.") : t("No move could be judged.");
  }

  result() {
    const { longest, ...score } = this.score();
    const looked = this.shown === null ? null : this.moves[this.shown];
    return element(
      "div",
      { class: "panel" },
      scoreFigures(score, longest),
      looked ? cross(ratesOf(looked.position), looked.position.best, looked.direction, null) : null,
      element("h2", {}, this.summary()),
      element(
        "ol",
        { class: "moves" },
        ...this.worst().map((one) =>
          element(
            "li",
            {},
            element(
              "button",
              { type: "button", "aria-pressed": String(this.shown === one.i), onclick: () => this.lookAt(one.i) },
              element("span", {}, t("Move {n}", { n: one.i + 1 })),
              gradeMark(one.grade),
              element("span", { class: "quiet" }, `${moveWord(one.direction)} ${lossOf(one)}`),
            ),
          ),
        ),
      ),
      element("div", { class: "card" }, this.tableChoice()),
    );
  }

  /** Show the position of a played move. */
  lookAt(i) {
    this.shown = i;
    const { cells, position } = this.moves[i];
    this.desk.board.show(cells, 4, null, position);
    this.desk.board.point(DIRECTIONS.indexOf(position.best[0]));
    this.desk.refresh();
  }
}

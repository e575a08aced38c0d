/** The page Game: any board from 3x3 to 8x8, with hints and moves of the AI if it can play. */

import { cross, entriesOf } from "./cross.js";
import { choice, element, figures } from "./dom.js";
import { COURSE, FREE, Game, LEAST_SIDE, MOST_SIDE } from "./game.js";
import { DIRECTIONS, boardText } from "./rules.js";
import { ask } from "./service.js";
import { mark, moveWord, number, t, tableTitle } from "./text.js";

const GAME = "game";
const BEST = "best-scores";
const SPEEDS = [[600, mark("Slow")], [200, mark("Normal")], [40, mark("Fast")]];
const MOST_SEED = 2 ** 53;

const newSeed = () => crypto.getRandomValues(new BigUint64Array(1))[0] % BigInt(MOST_SEED);

export class PlayPage {
  title = mark("Game");

  constructor(desk) {
    this.desk = desk;
    this.game = Game.from(localStorage.getItem(GAME) ?? "") ?? new Game(4, 4, newSeed());
    this.wanted = { rows: this.game.rows, columns: this.game.columns, rules: this.game.rules, seed: "" };
    this.hint = null;
    this.speed = SPEEDS[1][0];
    this.run = null; // a token while the AI plays: late answers of an earlier run move nothing
    this.asked = 0; // answers that come too late are ignored
  }

  get isPlaying() {
    return this.run !== null;
  }

  enter() {
    this.show();
  }

  leave() {
    this.stop();
    this.asked += 1;
  }

  show(motion = null) {
    this.desk.board.show(this.game.cells, this.game.columns, motion);
    this.desk.board.point(this.hint ? DIRECTIONS.indexOf(this.hint.move) : null);
  }

  move(direction) {
    this.stop();
    this.make(direction);
  }

  make(direction) {
    const motion = this.game.move(direction);
    if (!motion) return false;
    this.asked += 1;
    this.hint = null;
    this.keepBest();
    this.show(motion);
    this.desk.readMove(motion, this.game.columns);
    this.changed();
    return true;
  }

  /** Show and save the changes. */
  changed() {
    localStorage.setItem(GAME, this.game.saved());
    const { game } = this;
    const won = game.hasWon && this.game.steps[game.at - 1]?.cells.every((one) => one < 11);
    this.desk.tell(game.isOver ? t("No moves left. You scored {n}.", { n: number(game.score) }) : won ? t("2048! You can keep going.") : "");
    this.desk.refresh();
  }

  size() {
    return `${this.game.rows}x${this.game.columns}`;
  }

  bestScores() {
    try {
      return JSON.parse(localStorage.getItem(BEST)) ?? {};
    } catch {
      return {};
    }
  }

  keepBest() {
    const all = this.bestScores();
    if (this.game.score > (all[this.size()] ?? 0)) {
      localStorage.setItem(BEST, JSON.stringify({ ...all, [this.size()]: this.game.score }));
    }
  }

  start(seed) {
    this.stop();
    const { rows, columns, rules } = this.wanted;
    this.game = new Game(rows, columns, seed, rules);
    this.hint = null;
    this.asked += 1;
    this.show();
    this.changed();
  }

  startNew() {
    const text = this.wanted.seed.trim();
    if (text && !/^\d{1,19}$/.test(text)) {
      this.desk.tell(t("A seed is a whole number, such as 7. Leave it empty for a random one."), true);
      return;
    }
    this.start(text ? BigInt(text) : newSeed());
  }

  again() {
    const { rows, columns, rules, seed } = this.game;
    Object.assign(this.wanted, { rows, columns, rules });
    this.start(seed);
  }

  takeBack(isUndo) {
    this.stop();
    if (!(isUndo ? this.game.undo() : this.game.redo())) return;
    this.hint = null;
    this.asked += 1;
    this.show();
    this.changed();
  }

  /** The AI can play the 4x4 board only. */
  get isForAI() {
    return this.size() === "4x4" && !this.game.isOver;
  }

  /** Return the AI's answer on the position, or null if the position has changed meanwhile. */
  async askAI(ms) {
    const board = boardText(this.game.cells);
    const asked = ++this.asked;
    try {
      const found = await ask("/best", { board, ms });
      return asked === this.asked ? found : null;
    } catch (error) {
      if (asked === this.asked) this.desk.tellError(error);
      return null;
    }
  }

  async showHint() {
    if (this.hint) {
      this.hint = null;
      this.desk.board.point(null);
      this.desk.refresh();
      return;
    }
    this.stop();
    this.desk.tell(t("The AI is thinking…"));
    const found = await this.askAI(300);
    if (!found?.move) return;
    this.hint = found;
    this.desk.tell("");
    this.desk.board.point(DIRECTIONS.indexOf(found.move));
    this.desk.said.textContent = t("Best: {move}.", { move: moveWord(found.move) });
    this.desk.refresh();
  }

  async playBest() {
    this.stop();
    const found = this.hint ?? (await this.askAI(200));
    if (found?.move) this.make(DIRECTIONS.indexOf(found.move));
  }

  async playOn() {
    if (this.isPlaying) {
      this.stop();
      return;
    }
    const run = {};
    this.run = run;
    this.hint = null;
    this.desk.board.point(null);
    this.desk.tell("");
    this.desk.refresh();
    while (this.run === run && !this.game.isOver) {
      const wait = new Promise((done) => setTimeout(done, this.speed));
      const found = await this.askAI(Math.max(20, this.speed / 2));
      if (!found?.move || this.run !== run) break;
      await wait;
      if (this.run !== run) break;
      this.make(DIRECTIONS.indexOf(found.move));
    }
    if (this.run === run) this.stop();
  }

  stop() {
    if (!this.isPlaying) return;
    this.run = null;
    this.asked += 1;
    this.desk.refresh();
  }

  actions() {
    const { game } = this;
    return [
      { text: t("Undo"), key: "Backspace", key2: "Ctrl+z", run: () => this.takeBack(true), isOff: !game.canUndo },
      { text: t("Hint"), key: "b", run: () => this.showHint(), isOn: this.hint !== null, isOff: !this.isForAI },
      { text: this.isPlaying ? t("Stop") : t("Play"), key: " ", run: () => this.playOn(), isOn: this.isPlaying, isOff: !this.isForAI },
      { text: t("New"), key: "n", run: () => this.startNew() },
      { text: t("Best move"), key: "Enter", run: () => this.playBest(), isMore: true, isOff: !this.isForAI },
      { text: t("Redo"), key: "Ctrl+y", run: () => this.takeBack(false), isMore: true, isOff: !game.canRedo },
      { text: t("Again"), key: "Shift+n", run: () => this.again(), isMore: true },
      { text: t("Stop"), key: "Escape", run: () => this.stop(), isKey: true, isOff: !this.isPlaying },
    ];
  }

  panel() {
    const { game, wanted } = this;
    const best = this.bestScores()[this.size()] ?? 0;
    return element(
      "div",
      { class: "panel" },
      figures(game.moves ? [[t("Score"), game.score], [t("Best"), Math.max(best, game.score)], [t("Moves"), game.moves]] : []),
      this.hintCard(),
      element(
        "form",
        {
          class: "card",
          onsubmit: (event) => {
            event.preventDefault();
            this.startNew();
          },
        },
        element(
          "div",
          { class: "fields" },
          choice(t("Rows"), sides(), wanted.rows, (value) => (wanted.rows = Number(value))),
          choice(t("Columns"), sides(), wanted.columns, (value) => (wanted.columns = Number(value))),
          element(
            "label",
            { class: "field" },
            element("span", {}, t("Seed")),
            element("input", {
              inputmode: "numeric",
              autocomplete: "off",
              placeholder: t("random"),
              value: wanted.seed,
              oninput: (event) => (wanted.seed = event.target.value),
            }),
          ),
        ),
        choice(
          t("Rules"),
          [[FREE, t("Two tiles, undo without limit")], [COURSE, t("One tile, undo once")]],
          wanted.rules,
          (value) => (wanted.rules = value),
        ),
        element("button", { class: "main" }, t("New")),
        element("p", { class: "quiet" }, t("This game: {size}, seed {seed}", { size: `${game.rows}x${game.columns}`, seed: game.seed })),
      ),
    );
  }

  hintCard() {
    if (this.size() !== "4x4") return element("p", { class: "quiet" }, t("The AI plays on boards of 4x4."));
    const speeds = SPEEDS.map(([ms, text]) => [ms, t(text)]);
    return element(
      "div",
      { class: "card" },
      ...this.hintFigures(),
      choice(t("AI speed"), speeds, this.speed, (value) => (this.speed = Number(value))),
    );
  }

  /** Return the AI's figures and where they are from; of values without a unit nothing. */
  hintFigures() {
    const { kind, values, move, source } = this.hint ?? {};
    const isRate = kind === "rates";
    if (!isRate && kind !== "chances") return [];
    const origin = isRate ? t("From the table {name}", { name: tableTitle(source) }) : t("By search");
    return [
      cross(entriesOf(values), [move], null, (direction) => this.move(direction), !isRate),
      element("p", { class: "quiet" }, origin),
    ];
  }
}

const sides = () =>
  Array.from({ length: MOST_SIDE - LEAST_SIDE + 1 }, (_, i) => [LEAST_SIDE + i, String(LEAST_SIDE + i)]);

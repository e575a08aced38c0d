/** The page Review: a recorded game, judged by the tables of the service, and by its search. */

import { cross, entriesOf } from "./cross.js";
import { choice, drawing, element, figures } from "./dom.js";
import { HEIGHT, WIDTH, graphOf, place } from "./graph.js";
import { DIRECTIONS, readBoard } from "./rules.js";
import { ask } from "./service.js";
import { chanceTexts, gradeWord, lossTexts, mark, matchText, moveWord, perfectText, t, tableTitle } from "./text.js";
import { BAD } from "./training.js";

const MOST_BYTES = 4 << 20;
const LOOK_AGAIN_MS = 300;

export class ReviewPage {
  title = mark("Review");
  hasOwnArrows = true;

  constructor(desk) {
    this.desk = desk;
    this.file = null; // {name, data, report}
    this.judging = null; // {id, share} of the whole game
    this.drawn = null; // {part, line, marks, ends} of the graph
    this.part = 0;
    this.at = 0;
    this.asked = 0;
  }

  enter() {
    this.show();
  }

  /** The file that is being opened and the running work are for later. */
  leave() {}

  /** The parts to go through: the whole game if it was judged, and the parts that tables cover. */
  get parts() {
    const report = this.file?.report;
    if (!report) return [];
    const { game, moves } = report;
    const whole = game?.move_list ? [{ ...game, is_whole: true, first_move: 1, last_move: moves }] : [];
    return [...whole, ...report.segments];
  }

  get moves() {
    return this.parts[this.part]?.move_list ?? [];
  }

  get now() {
    return this.moves[this.at] ?? null;
  }

  show() {
    const cells = this.now && readBoard(this.now.board);
    this.desk.board.show(cells ?? new Array(16).fill(0), 4);
    const best = this.now?.best?.[0];
    this.desk.board.point(best ? DIRECTIONS.indexOf(best) : null);
  }

  async open(file) {
    if (!file) return;
    if (file.size > MOST_BYTES) {
      this.desk.tell(t("This file is too large for a recorded game: 4 MB at most."), true);
      return;
    }
    const asked = ++this.asked;
    this.stop();
    this.desk.tell(t("Asking the tables…"));
    try {
      const report = await ask("/grade?moves=1", file);
      if (asked !== this.asked) return;
      this.stop(); // the game before may be judged again since this one was chosen
      this.file = { name: file.name, data: file, report };
      this.part = this.at = 0;
      if (this.desk.page !== this) return;
      const isCovered = report.segments.length > 0;
      this.desk.tell(isCovered ? "" : t("No table covers this game."));
    } catch (error) {
      if (asked !== this.asked || this.desk.page !== this) return;
      this.desk.tellError(error);
    }
    this.show();
    this.desk.refresh();
  }

  /** Have tables and search judge the whole game; it takes a while. */
  async judge() {
    const { file } = this;
    const judging = { id: null, share: 0 };
    this.judging = judging;
    this.tellShare();
    try {
      let told = await ask("/analyses?moves=1", file.data);
      judging.id = told.id;
      if (this.judging !== judging) cancel(told.id);
      while (this.judging === judging && ["waiting", "running"].includes(told.state)) {
        judging.share = told.last?.share ?? 0;
        this.tellShare();
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
        told = await ask(`/analyses/${judging.id}`);
      }
      if (this.judging !== judging) return;
      this.end(told.state === "failed" ? told.error : "", true);
      if (told.state !== "done") return;
      file.report = told.result;
      this.part = this.at = 0;
    } catch (error) {
      if (this.judging !== judging) return;
      this.end("");
      this.desk.tellError(error);
    }
    if (this.desk.page !== this) return;
    this.show();
    this.desk.refresh();
  }

  /** Drop the running work. */
  stop() {
    if (!this.judging) return;
    if (this.judging.id) cancel(this.judging.id);
    this.end(t("Stopped."));
  }

  end(text, isBad = false) {
    this.judging = null;
    if (this.desk.page !== this) return;
    this.desk.tell(text, isBad);
    this.desk.refresh();
  }

  tellShare() {
    if (this.desk.page !== this) return;
    const percent = Math.floor(100 * this.judging.share);
    this.desk.tell(t("Judging the whole game: {n} %", { n: percent }));
    const bar = this.desk.side.querySelector("progress");
    if (bar) bar.value = this.judging.share;
    else this.desk.refresh();
  }

  go(to) {
    if (!this.moves.length) return;
    this.at = Math.max(0, Math.min(this.moves.length - 1, to));
    this.show();
    this.desk.refresh();
    this.desk.said.textContent = this.verdict();
  }

  goToMistake(step) {
    for (let i = this.at + step; i >= 0 && i < this.moves.length; i += step) {
      if (BAD.includes(this.moves[i].grade)) {
        this.go(i);
        return;
      }
    }
  }

  /** The arrows go through the game, up and down to mistakes. A swipe to the left turns the page. */
  move(direction) {
    const way = DIRECTIONS[direction];
    if (way === "left" || way === "right") this.go(this.at + (way === "left" ? -1 : 1));
    else this.goToMistake(way === "up" ? -1 : 1);
  }

  actions() {
    const open = { text: t("Open a recording"), key: "o", run: () => document.getElementById("file").click(), isKey: true };
    if (!this.file) return [open];
    const isOff = !this.moves.length;
    return [
      { text: t("Prev."), key: "ArrowLeft", run: () => this.go(this.at - 1), isOff: isOff || this.at === 0 },
      { text: t("Next"), key: "ArrowRight", run: () => this.go(this.at + 1), isOff: isOff || this.at + 1 >= this.moves.length },
      { text: t("Previous mistake"), key: "ArrowUp", key2: ",", run: () => this.goToMistake(-1), isOff },
      { text: t("Next mistake"), key: "ArrowDown", key2: ".", run: () => this.goToMistake(1), isOff },
      ...this.judgeActions(),
      open,
    ];
  }

  judgeActions() {
    if (this.judging) return [{ text: t("Stop"), key: "g", run: () => this.stop(), isKey: true }];
    if (this.file.report.game) return [];
    return [{ text: t("Judge the whole game"), key: "g", run: () => this.judge(), isKey: true }];
  }

  panel() {
    const chooser = element(
      "label",
      { class: this.file ? "file" : "file main" },
      this.file ? t("Open another") : t("Open a recording"),
      element("input", { type: "file", id: "file", accept: ".rpl,.rec,.vrs,.txt", onchange: (event) => this.open(event.target.files[0]) }),
    );
    if (!this.file) {
      return element(
        "div",
        { class: "panel" },
        element("p", {}, t("See what each move of a recorded game cost: your tables judge what they cover, search the rest.")),
        chooser,
      );
    }
    const { name, report } = this.file;
    const part = this.parts[this.part];
    return element(
      "div",
      { class: "panel" },
      this.judging ? element("progress", { max: 1, value: this.judging.share, "aria-label": t("Judge the whole game") }) : null,
      ...(part ? this.judged(part) : []),
      element("h2", { class: "file-name" }, name),
      figures([
        [t("Moves"), report.moves],
        [t("Score"), report.points],
        [t("Largest tile"), report.largest_tile],
      ]),
      ...this.judgeActions().map((action) => this.desk.button({ ...action, isMain: !part })),
      chooser,
    );
  }

  judged(part) {
    const names = this.parts.map((one, i) => [
      i,
      t("{table}: moves {first} to {last}", {
        table: one.is_whole ? t("Whole game") : tableTitle(one.table),
        first: one.first_move,
        last: one.last_move,
      }),
    ]);
    return [
      this.now ? cross(entriesOf(this.now.rates), this.now.best ?? [], this.now.played, null, this.isEstimate) : null,
      element("p", { class: "sentence" }, this.verdict()),
      this.now?.source ? element("p", { class: "quiet" }, this.source()) : null,
      this.graph(part),
      element("input", {
        type: "range",
        min: 0,
        max: Math.max(0, this.moves.length - 1),
        value: this.at,
        "aria-label": t("Move"),
        oninput: (event) => this.go(Number(event.target.value)),
        onpointerup: () => this.desk.toBoard(), // who came by Tab keeps the slider
      }),
      choice(t("Part"), names, this.part, (value) => {
        this.part = Number(value);
        this.desk.toBoard();
        this.go(0);
      }),
      part.judged ? figures([
        [t("Perfect moves"), perfectText(part.grades.perfect, part.judged)],
        ...(part.is_whole // a product of that many estimates means nothing
          ? [[t("By search"), part.by_search]]
          : [[t("Chance kept"), matchText(part.match_rate)], [t("Streak"), part.longest_combo]]),
      ]) : null,
    ];
  }

  /** Show the chances and where they come from. */
  source() {
    if (this.isEstimate) return t("By search: the chance of the next large tile");
    return t("From the table {name}", { name: tableTitle(this.now.source) });
  }

  get isEstimate() {
    return this.now.source === "search";
  }

  verdict() {
    const { now } = this;
    if (!now) return "";
    const values = { n: now.move, move: moveWord(now.played) };
    if (!now.grade && this.parts[this.part].is_whole) return t("Move {n}, {move}: no rating.", values);
    if (!now.grade) return t("Move {n}, {move}: the table can't judge it.", values);
    const grade = gradeWord(now.grade);
    if (now.grade === "perfect") return t("Move {n}, {move}: {grade}.", { ...values, grade });
    const best = now.best.map(moveWord).join(" / ");
    const rates = Object.values(now.rates);
    const losses = this.isEstimate ? chanceTexts(rates)[1] : lossTexts(rates);
    const loss = losses[Object.keys(now.rates).indexOf(now.played)] || t("<{n} pts", { n: 0.1 });
    return t("Move {n}, {move}: {grade}, {loss}. Best: {best}.", { ...values, grade, loss, best });
  }

  /** Return the course of the chance, with the current place marked. */
  graph(part) {
    if (this.drawn?.part !== part.move_list) {
      const isBad = this.moves.map(({ grade }) => BAD.includes(grade));
      this.drawn = { part: part.move_list, ...graphOf(this.moves.map(chanceOf), isBad) };
    }
    const here = place(this.at, this.moves.length);
    const [low, high] = this.drawn.ends;
    const line = drawing(
      "svg",
      { viewBox: `-4 0 ${WIDTH + 8} ${HEIGHT}`, class: "graph", role: "img", "aria-label": t("The chance, move by move") },
      drawing("line", { x1: here, x2: here, y1: 0, y2: HEIGHT, class: "here" }),
      drawing("polyline", { points: this.drawn.line }),
      ...this.drawn.marks.map(([cx, cy]) => drawing("circle", { cx, cy, r: 3, class: "mistake-mark" })),
    );
    const ends = element("div", { class: "ends quiet" }, element("span", {}, high), element("span", {}, low));
    return element("div", { class: "chances" }, ends, line);
  }
}

/** Tell the service that nobody waits for an analysis any more. */
const cancel = (id) => ask(`/analyses/${id}`, null, undefined, "DELETE").catch(() => {});

/** Return the chance before a move, null where nothing is known of it. */
function chanceOf({ rates }) {
  const known = Object.values(rates).filter((rate) => rate !== null);
  return known.length ? Math.max(0, ...known) : null;
}

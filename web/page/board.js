/** The board: tiles that slide, merge and appear; fingers that swipe. */

import { element } from "./dom.js";
import { DOWN, LEFT, RIGHT, UP } from "./rules.js";
import { number, t } from "./text.js";

const SLIDE_MS = 100;
const SWIPE_PX = 24;
const ARROWS = ["left", "right", "up", "down"];

export class BoardView {
  /** `onmove` gets the direction of a swipe. */
  constructor(onmove) {
    this.grid = element("div", { class: "grid", "aria-hidden": "true" });
    this.arrow = element("div", { class: "arrow", "aria-hidden": "true", hidden: true });
    this.words = element("div", { class: "unseen", id: "board-words" });
    this.node = element(
      "div",
      { class: "board", id: "board", tabindex: "0", role: "group", "aria-describedby": "board-words" },
      this.grid,
      this.arrow,
      this.words,
    );
    this.tiles = new Map(); // by cell
    this.dying = [];
    this.cells = [];
    this.ended = 0;
    this.listenToFingers(onmove);
  }

  /** Show a position; given a move's result, let the tiles slide there. */
  show(cells, columns, motion = null, { locked = [], walls = false } = {}) {
    this.finish();
    const rows = cells.length / columns;
    if (cells.length !== this.cells.length || columns !== this.columns) this.layOut(rows, columns);
    const isLocked = (cell) => locked.includes(cell);
    if (motion) this.slideTiles(motion);
    else for (const cell of [...this.tiles.keys()]) this.drop(cell);
    for (let cell = 0; cell < cells.length; cell++) {
      if (!cells[cell]) {
        if (this.tiles.has(cell)) this.drop(cell);
        continue;
      }
      const how = !motion ? "" : motion.tile?.cell === cell ? "new" : "merged";
      if (!this.tiles.has(cell)) this.tiles.set(cell, this.makeTile(cell, how));
      this.dress(this.tiles.get(cell), cells[cell], isLocked(cell), walls);
    }
    this.cells = cells;
    this.columns = columns;
    this.describe(cells, columns, walls);
  }

  /** Highlight a move; null hides it. */
  point(direction) {
    this.arrow.hidden = direction === null;
    if (direction !== null) this.arrow.dataset.to = ARROWS[direction];
  }

  layOut(rows, columns) {
    this.tiles.clear();
    this.dying = [];
    this.node.style.setProperty("--rows", rows);
    this.node.style.setProperty("--columns", columns);
    const cells = Array.from({ length: rows * columns }, () => element("div", { class: "cell" }));
    this.grid.replaceChildren(...cells);
  }

  slideTiles({ slides }) {
    const before = this.tiles;
    this.tiles = new Map();
    for (const { from, to, merged } of slides) {
      const tile = before.get(from);
      if (!tile) continue;
      before.delete(from);
      this.place(tile, to);
      if (merged) this.dying.push(tile);
      else this.tiles.set(to, tile);
    }
    for (const tile of before.values()) tile.remove();
    clearTimeout(this.ended);
    this.ended = setTimeout(() => this.finish(), 1.5 * SLIDE_MS);
  }

  /** End running animations, so that the next key never waits. */
  finish() {
    for (const tile of this.dying) tile.remove();
    this.dying = [];
  }

  makeTile(cell, how) {
    const tile = element("div", { class: how ? `tile ${how}` : "tile" }, element("span"));
    this.place(tile, cell);
    this.grid.append(tile);
    return tile;
  }

  place(tile, cell) {
    tile.style.setProperty("--row", Math.floor(cell / this.columnsNow()));
    tile.style.setProperty("--column", cell % this.columnsNow());
  }

  columnsNow() {
    return Number(this.node.style.getPropertyValue("--columns"));
  }

  dress(tile, exponent, isLocked, walls) {
    const isWall = walls && exponent === 15;
    const text = isWall ? "" : String(2 ** exponent);
    tile.dataset.exponent = Math.min(exponent, 16);
    tile.style.setProperty("--tile", `var(--tile-${tile.dataset.exponent})`);
    tile.style.setProperty("--tile-ink", `var(--ink-${tile.dataset.exponent})`);
    tile.dataset.digits = Math.min(text.length, 7);
    tile.classList.toggle("wall", isWall);
    tile.classList.toggle("locked", isLocked && !isWall);
    if (tile.firstChild.textContent !== text) tile.firstChild.textContent = text;
  }

  drop(cell) {
    this.tiles.get(cell).remove();
    this.tiles.delete(cell);
  }

  /** Write the board row by row, for screen readers. */
  describe(cells, columns, walls) {
    const words = (exponent) => {
      if (exponent === 0) return t("empty");
      return walls && exponent === 15 ? t("wall") : number(2 ** exponent);
    };
    const lines = [];
    for (let at = 0; at < cells.length; at += columns) {
      const row = cells.slice(at, at + columns).map(words).join(", ");
      lines.push(t("Row {n}: {tiles}.", { n: at / columns + 1, tiles: row }));
    }
    this.node.setAttribute("aria-label", t("Board"));
    this.words.textContent = lines.join(" ");
  }

  listenToFingers(onmove) {
    let start = null;
    let finger = null; // the one that swipes; a mouse or a second finger makes no move meanwhile
    this.node.addEventListener("pointerdown", (event) => {
      if (!event.isPrimary || event.button !== 0) return;
      start = [event.clientX, event.clientY];
      finger = event.pointerId;
      this.node.setPointerCapture(event.pointerId);
    });
    this.node.addEventListener("pointermove", (event) => {
      if (!start || event.pointerId !== finger) return;
      const [x, y] = [event.clientX - start[0], event.clientY - start[1]];
      if (Math.max(Math.abs(x), Math.abs(y)) < SWIPE_PX) return;
      start = null;
      if (Math.abs(x) > Math.abs(y)) onmove(x < 0 ? LEFT : RIGHT);
      else onmove(y < 0 ? UP : DOWN);
    });
    for (const name of ["pointerup", "pointercancel"]) {
      this.node.addEventListener(name, (event) => {
        if (event.pointerId === finger) start = null;
      });
    }
  }
}

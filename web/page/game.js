/** A game played without the service: board, score, seed, undo. */

import { Rng, drawTile, isSame, legalMoves, slide, withTile } from "./rules.js";

export const LEAST_SIDE = 3;
export const MOST_SIDE = 8;

/** Two tiles at the start and undo without limit, or one tile and one undo as in a course. */
export const FREE = "free";
export const COURSE = "course";

const WINNING = 11;
const FORMAT = 1;

export class Game {
  /** `seed` is a whole number, as a number, a BigInt or text. */
  constructor(rows, columns, seed, rules = FREE) {
    Object.assign(this, { rows, columns, rules, seed: BigInt(seed) });
    const rng = new Rng(this.seed);
    let cells = new Array(rows * columns).fill(0);
    for (let i = 0; i < (rules === FREE ? 2 : 1); i++) cells = withTile(cells, drawTile(cells, rng));
    this.steps = [{ cells, score: 0, moves: 0, state: rng.state }];
    this.at = 0;
    this.mayUndo = false; // by the rules of the course
  }

  get now() {
    return this.steps[this.at];
  }

  get cells() {
    return this.now.cells;
  }

  get score() {
    return this.now.score;
  }

  get moves() {
    return this.now.moves;
  }

  get hasWon() {
    return this.cells.some((exponent) => exponent >= WINNING);
  }

  get isOver() {
    return this.legal().length === 0;
  }

  get canUndo() {
    return this.rules === FREE ? this.at > 0 : this.mayUndo;
  }

  get canRedo() {
    return this.rules === FREE && this.at + 1 < this.steps.length;
  }

  legal() {
    return legalMoves(this.cells, this.columns);
  }

  /** Slide and add a tile; return what happened, null where the move is not legal. */
  move(direction) {
    const { cells, gained, slides } = slide(this.cells, this.columns, direction);
    if (isSame(cells, this.cells)) return null;
    const rng = new Rng(this.now.state);
    const tile = drawTile(cells, rng);
    const next = {
      cells: withTile(cells, tile),
      score: this.score + gained,
      moves: this.moves + 1,
      state: rng.state,
    };
    this.steps.splice(this.at + 1, Infinity, next);
    this.at += 1;
    if (this.rules === COURSE) {
      this.steps = this.steps.slice(-2); // never goes back further
      this.at = 1;
      this.mayUndo = true;
    }
    return { direction, slides, tile, gained };
  }

  /** Take back the last move; return whether there was one. */
  undo() {
    if (!this.canUndo) return false;
    this.at -= 1;
    if (this.rules === COURSE) this.steps.length = 1;
    this.mayUndo = false;
    return true;
  }

  redo() {
    if (!this.canRedo) return false;
    this.at += 1;
    return true;
  }

  /** Return the game as text, to resume it later; the last moves can be taken back. */
  saved(mostSteps = 200) {
    const first = Math.max(0, this.at - mostSteps);
    const steps = this.steps
      .slice(first, this.at + 1)
      .map((step) => ({ ...step, state: String(step.state) }));
    const { rows, columns, rules, mayUndo } = this;
    return JSON.stringify({ format: FORMAT, rows, columns, rules, mayUndo, seed: String(this.seed), steps });
  }

  /** Return the game saved as such text, or null. */
  static from(text) {
    try {
      const kept = JSON.parse(text);
      if (kept.format !== FORMAT) return null;
      const isFit = (step) =>
        Array.isArray(step.cells) &&
        step.cells.length === kept.rows * kept.columns &&
        step.cells.every((one) => Number.isInteger(one) && one >= 0 && one < 70);
      if (!kept.steps.length || !kept.steps.every(isFit)) return null;
      const game = new Game(kept.rows, kept.columns, kept.seed, kept.rules);
      game.steps = kept.steps.map((step) => ({ ...step, state: BigInt(step.state) }));
      game.at = game.steps.length - 1;
      game.mayUndo = kept.mayUndo;
      return game;
    } catch {
      return null;
    }
  }
}

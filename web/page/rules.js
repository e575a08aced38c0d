/**
 * The rules of 2048 on boards of any size, and the program's stream of new tiles.
 *
 * They repeat engine/spawn.py, engine/game.py and engine/course_game.py: a game is played without
 * the service, and a seed gives the same game here as there. tests/web compares both.
 *
 * A board is an array of exponents, row by row: 0 is empty, 1 is the tile 2.
 */

export const LEFT = 0;
export const RIGHT = 1;
export const UP = 2;
export const DOWN = 3;
export const DIRECTIONS = ["left", "right", "up", "down"];

/** The meaning of exponent 15: a tile like others; a large tile that never merges; a wall. */
export const MERGING = "merging";
export const LOCKED = "locked";
export const WALLS = "walls";

const LARGE = 15;
const MASK = (1n << 64n) - 1n;
const SPAWN4 = 0.1;

/** A seeded stream of 64-bit numbers, splitmix64; its state determines all that follows. */
export class Rng {
  constructor(seed) {
    this.state = BigInt(seed) & MASK;
  }

  nextU64() {
    this.state = (this.state + 0x9e3779b97f4a7c15n) & MASK;
    let mixed = this.state;
    mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & MASK;
    return mixed ^ (mixed >> 31n);
  }

  /** Return a whole number from 0 to n - 1 without bias, after Lemire. */
  below(n) {
    const range = BigInt(n);
    let product = (this.nextU64() >> 32n) * range;
    if ((product & 0xffffffffn) < range) {
      const rejected = (1n << 32n) % range;
      while ((product & 0xffffffffn) < rejected) product = (this.nextU64() >> 32n) * range;
    }
    return Number(product >> 32n);
  }

  /** Return a number in [0, 1) with 53 random bits. */
  random() {
    return Number(this.nextU64() >> 11n) * 2 ** -53;
  }
}

/** Return the cell and the exponent of a new tile: the cell is drawn first, then 4 or 2. */
export function drawTile(cells, rng, spawn4 = SPAWN4) {
  const empty = [...cells.keys()].filter((cell) => cells[cell] === 0);
  const cell = empty[rng.below(empty.length)];
  return { cell, exponent: rng.random() < spawn4 ? 2 : 1 };
}

/** Return the new tile after the n-th move of a test, from 0 on: it depends on seed and n alone. */
export function drawTestTile(cells, seed, n, spawn4) {
  return drawTile(cells, new Rng(new Rng(BigInt(seed) + BigInt(n)).nextU64()), spawn4);
}

/**
 * Slide all tiles.
 *
 * Returns the cells afterwards, before the new tile; the points; and the path of every tile,
 * `{from, to, merged}`, for the animation. The cells are unchanged if the move is not legal.
 */
export function slide(cells, columns, direction, kind = MERGING) {
  const rows = cells.length / columns;
  const isRow = direction === LEFT || direction === RIGHT;
  const [n, length] = isRow ? [rows, columns] : [columns, rows];
  const after = new Array(cells.length).fill(0);
  const slides = [];
  let gained = 0;
  for (let line = 0; line < n; line++) {
    const place = (step) => {
      const along = direction === LEFT || direction === UP ? step : length - 1 - step;
      return isRow ? line * columns + along : along * columns + line;
    };
    let filled = 0;
    let mayMerge = false;
    for (let step = 0; step < length; step++) {
      const from = place(step);
      const tile = cells[from];
      if (tile === 0) continue;
      const isLarge = tile === LARGE && kind !== MERGING;
      if (isLarge && kind === WALLS) filled = step;
      const last = filled > 0 ? place(filled - 1) : -1;
      if (mayMerge && !isLarge && after[last] === tile) {
        after[last] = tile + 1;
        gained += 2 ** (tile + 1);
        mayMerge = false;
        slides.find((one) => one.to === last).merged = true;
        slides.push({ from, to: last, merged: true });
      } else {
        const to = place(filled);
        after[to] = tile;
        if (!isLarge || kind === LOCKED) slides.push({ from, to, merged: false });
        filled += 1;
        mayMerge = true;
      }
    }
  }
  return { cells: after, gained, slides };
}

export const isSame = (one, other) => one.every((exponent, cell) => exponent === other[cell]);

/** Return the directions that change the board. */
export function legalMoves(cells, columns, kind = MERGING) {
  return [LEFT, RIGHT, UP, DOWN].filter(
    (direction) => !isSame(slide(cells, columns, direction, kind).cells, cells),
  );
}

/** Return the cells with another tile. */
export function withTile(cells, { cell, exponent }) {
  const found = cells.slice();
  found[cell] = exponent;
  return found;
}

/** Return a board as text, one digit per cell: hexadecimal, then g for 65536. */
export const boardText = (cells) => cells.map((exponent) => exponent.toString(36)).join("");

/** Return the exponents of such a text; null if it isn't one. */
export function readBoard(text) {
  const digits = text.replace(/[\s_]/g, "");
  return /^[0-9a-h]{16}$/i.test(digits) ? [...digits].map((digit) => parseInt(digit, 36)) : null;
}

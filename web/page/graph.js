/** The graph of a game's chances: its range, its line, and the places of mistakes. */

export const WIDTH = 320;
export const HEIGHT = 64;
const MOST_POINTS = 2 * WIDTH; // more would overlap
const EDGE = 2;

/** Return the place on the graph of the i-th of n moves. */
export const place = (i, n) => (n > 1 ? (i * WIDTH) / (n - 1) : 0);

/** Return round chances at the bottom and at the top of the range, and the step between. */
export function spanOf(chances) {
  if (!chances.length) return { low: 0, high: 1, step: 1 };
  const low = chances.reduce((one, other) => Math.min(one, other));
  const high = chances.reduce((one, other) => Math.max(one, other));
  if (high - low <= 1e-12 * high) {
    const room = high * 0.1 || 1;
    return { low: Math.max(0, low - room), high: Math.min(1, high + room), step: room / 10 };
  }
  const step = roundStep((high - low) / 3);
  return { low: Math.floor(low / step + 1e-9) * step, high: Math.ceil(high / step - 1e-9) * step, step };
}

/** Return 1, 2 or 5 times a power of ten, at least the given number. */
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5].map((times) => times * power).find((step) => step >= least * (1 - 1e-9)) ?? 10 * power;
}

/** Return the two ends of a range as text, with the digits that its step needs. */
export function endTexts({ low, high, step }) {
  const decimals = Math.min(10, Math.max(0, -Math.floor(Math.log10(step * 100) + 1e-9)));
  return [low, high].map((rate) => `${(100 * rate).toFixed(decimals)} %`);
}

/**
 * Return the line of the chances, the places of mistakes, and the range of the graph.
 *
 * `chances` has null where nothing is known; `isBad` is true for mistakes. For a long game the
 * lowest chance of each pixel is drawn.
 */
export function graphOf(chances, isBad) {
  const n = chances.length;
  const span = spanOf(chances.filter((one) => one !== null));
  const step = Math.ceil(n / MOST_POINTS);
  const [line, marks] = [[], []];
  for (let start = 0; start < n; start += step) {
    const known = chances.slice(start, start + step).filter((one) => one !== null);
    if (!known.length) continue;
    const share = (Math.min(...known) - span.low) / (span.high - span.low);
    const x = place(start, n).toFixed(1);
    const y = (EDGE + (HEIGHT - 2 * EDGE) * (1 - share)).toFixed(1);
    line.push(`${x},${y}`);
    if (isBad.slice(start, start + step).some(Boolean)) marks.push([x, y]);
  }
  return { line: line.join(" "), marks, ends: endTexts(span) };
}

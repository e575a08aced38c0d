/** The four rates as a cross, as on the keyboard; the best move is marked by shape and color. */

import { element } from "./dom.js";
import { DIRECTIONS } from "./rules.js";
import { chanceTexts, lossTexts, moveWord, rateTexts } from "./text.js";

const LEAST_LOSS = 1e-6; // where the bar starts
const SIGNS = { left: "←", right: "→", up: "↑", down: "↓" };

/** Return the entries of rates that have nothing else to say. */
export function entriesOf(rates) {
  const top = Math.max(...Object.values(rates));
  return Object.fromEntries(
    Object.entries(rates).map(([name, rate]) => [name, rate === null ? null : { value: rate, loss: top - rate }]),
  );
}

/**
 * Return a cross. `entries` has for each direction {value, text?, loss, note, isBound?} or null; the
 * values are rates of a table, or estimates.
 */
export function cross(entries, best, played, onmove, areEstimates = false) {
  const equal = best.length ? entries[best[0]]?.value : null;
  const shown = DIRECTIONS.map((name) => {
    const value = entries[name]?.value ?? null;
    return best.includes(name) && value !== null ? equal : value;
  });
  const [texts, losses] = areEstimates ? chanceTexts(shown) : [rateTexts(shown), lossTexts(shown)];
  const places = DIRECTIONS.map((name, i) => {
    const entry = entries[name];
    const isBest = best.includes(name);
    const loss = isBest ? 0 : (entry?.loss ?? 0);
    const bar = element("div", { class: "loss", "aria-hidden": "true" });
    bar.style.setProperty("--loss", lossShare(loss));
    const figure = entry ? (entry.text ?? (entry.isBound ? `≥ ${texts[i]}` : texts[i])) : "";
    const note = entry?.note ?? (isBest ? "" : losses[i]);
    return element(
      "button",
      {
        type: "button",
        class: `place ${name}${isBest ? " best" : ""}${played === name ? " played" : ""}`,
        disabled: !entry || !onmove,
        "aria-label": [moveWord(name), figure, note].filter(Boolean).join(", "),
        onclick: onmove ? () => onmove(i) : () => {},
      },
      element("span", { class: "way", "aria-hidden": "true" }, `${isBest ? "★ " : ""}${SIGNS[name]}`),
      element("span", { class: "figure" }, figure),
      element("span", { class: "note" }, note),
      bar,
    );
  });
  return element("div", { class: "cross" }, ...places);
}

/** Return the part of its bar that a loss fills: 1e-6 nothing, 10 % all, logarithmic between. */
function lossShare(loss) {
  if (loss <= LEAST_LOSS) return 0;
  return Math.min(1, Math.log10(loss / LEAST_LOSS) / Math.log10(0.1 / LEAST_LOSS));
}

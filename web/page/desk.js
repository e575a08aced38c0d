/**
 * The desk: the board, the panel beside it, the row of actions under it. All pages use the same one.
 *
 * A page has `title`, `enter()`, `leave()`, `panel()` (an element, made again at `refresh`),
 * `actions()` and `move(direction)`. An action is {text, key, run, isOn, isOff}; `key` is its
 * `KeyboardEvent.key`, after "Ctrl+" if that is held. `isMain` makes it stand out, `isMore` puts it
 * into the list of others, and `isKey` gives it no button. `hasOwnArrows` is true for a page where
 * the arrows move no tiles.
 */

import { BoardView } from "./board.js";
import { element, update } from "./dom.js";
import { ServiceError } from "./service.js";
import { DIRECTIONS, DOWN, LEFT, RIGHT, UP } from "./rules.js";
import { moveWord, number, t } from "./text.js";

const MOVES = {
  ArrowLeft: LEFT, a: LEFT, h: LEFT,
  ArrowRight: RIGHT, d: RIGHT, l: RIGHT,
  ArrowUp: UP, w: UP, k: UP,
  ArrowDown: DOWN, s: DOWN, j: DOWN,
};
const KEY_NAMES = {
  Escape: "Esc", " ": "Space",
  ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓",
};

export class Desk {
  constructor() {
    this.board = new BoardView((direction) => this.page?.move(direction));
    this.actions = element("div", { class: "actions", role: "group" });
    this.notice = element("p", { class: "notice", role: "status" });
    this.said = element("p", { class: "unseen", "aria-live": "polite" });
    this.side = element("section", { class: "side" });
    this.stage = element("div", { class: "stage" }, this.board.node, this.notice, this.actions);
    this.node = element("main", { class: "desk" }, this.stage, this.side, this.said);
    document.addEventListener("keydown", (event) => this.press(event));
    for (const name of ["pointerdown", "focusin"]) {
      document.addEventListener(name, (event) => event.target.closest?.(".more") || this.closeMore());
    }
    this.side.addEventListener("click", (event) => event.target.closest(".place, .main") && this.toBoard());
  }

  open(page) {
    this.page?.leave();
    this.page = page;
    this.tell("");
    this.board.point(null);
    this.side.scrollTop = 0;
    page.enter();
    this.refresh();
  }

  /** Give the keys to the board; only those who come there by Tab see a ring around it. */
  toBoard() {
    this.board.node.focus({ preventScroll: true, focusVisible: false });
  }

  closeMore() {
    const more = this.actions.querySelector(".more[open]");
    more?.removeAttribute("open");
    return Boolean(more);
  }

  /** Show the panel and the actions as the page has them now. */
  refresh() {
    const panel = element("section", { class: "side" }, this.page.panel());
    const [shown, others] = [[], []];
    for (const action of this.page.actions()) {
      if (!action.isKey) (action.isMore ? others : shown).push(this.button(action));
    }
    const more = others.length
      ? [element("details", { class: "more" }, element("summary", {}, t("More")), element("div", {}, ...others))]
      : [];
    const actions = element("div", { class: "actions", role: "group", "aria-label": t("Actions") }, ...shown, ...more);
    update(this.side, panel);
    update(this.actions, actions);
    if (document.activeElement === document.body) this.toBoard(); // the focused element is gone
  }

  button({ text, key, run, isOn, isOff, isMain }) {
    return element(
      "button",
      {
        type: "button",
        class: isMain ? "main" : null,
        disabled: Boolean(isOff),
        title: key ? keyName(key) : null,
        "aria-pressed": isOn === undefined ? null : String(isOn),
        onclick: () => {
          this.closeMore();
          this.toBoard();
          run();
        },
      },
      text,
    );
  }

  /** Show a message under the board; "" removes it. */
  tell(text, isBad = false) {
    this.notice.textContent = text;
    this.notice.classList.toggle("bad", isBad);
  }

  /** Show what the service refused, and what to do. */
  tellError(error) {
    if (error.name === "AbortError") return;
    this.tell(errorText(error), true);
    if (!(error instanceof ServiceError)) console.error(error);
    if (error.status === 401) document.dispatchEvent(new CustomEvent("token-wanted"));
  }

  /** Read a move aloud. */
  readMove({ direction, tile, gained }, columns) {
    const place = { row: Math.floor(tile.cell / columns) + 1, column: (tile.cell % columns) + 1 };
    const parts = [
      t("{move}.", { move: moveWord(DIRECTIONS[direction]) }),
      gained ? t("{n} points.", { n: number(gained) }) : "",
      t("New {tile} in row {row}, column {column}.", { tile: 2 ** tile.exponent, ...place }),
    ];
    this.said.textContent = parts.filter(Boolean).join(" ");
  }

  press(event) {
    if (event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape" && this.closeMore()) return;
    if (event.target.closest?.("input, select")) {
      if (event.key === "Escape") this.toBoard();
      return;
    }
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const key = `${event.ctrlKey ? "Ctrl+" : ""}${event.shiftKey && /^[a-z]$/.test(name) ? "Shift+" : ""}${name}`;
    if ((key === "Enter" || key === " ") && event.target.closest?.("button, summary, a")) return;
    const action = this.page.actions().find((one) => (one.key === key || one.key2 === key) && !one.isOff);
    if (action) {
      event.preventDefault();
      action.run();
    } else if (key in MOVES) {
      event.preventDefault();
      this.page.move(MOVES[key]);
    }
  }
}

/** Return the name of a key on the keyboard. */
export function keyName(key) {
  const parts = key.split("+");
  const last = parts.pop();
  return [...parts, KEY_NAMES[last] ?? (last.length === 1 ? last.toUpperCase() : last)].join("+");
}

function errorText(error) {
  if (!(error instanceof ServiceError)) return t("Something went wrong on this page. Reload it.");
  if (error.status === 0) return t("The service doesn't answer. Start it again with: endgame2048 serve");
  if (error.status === 401) return t("The token is missing or out of date. Open the address that serve printed, or enter the token.");
  if (error.status === 429 || error.status === 503) return t("The service is busy. Try again in a moment.");
  return error.message;
}

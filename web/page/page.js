/** The page in the browser: the open part, language and theme, the token, offline use. */

import { Desk, keyName } from "./desk.js";
import { drawing, element } from "./dom.js";
import { PlayPage } from "./play.js";
import { ReviewPage } from "./review.js";
import { ServiceError, ask, setToken, takeToken } from "./service.js";
import { LANGUAGES, language, mark, readLanguage, t, useLanguage } from "./text.js";
import { TrainPage } from "./train.js";
import { PracticePage, TestPage } from "./training.js";

const THEME = "theme";
const THEMES = [["", mark("Match system")], ["light", mark("Light")], ["dark", mark("Dark")]];

readLanguage();
useTheme(localStorage.getItem(THEME) ?? "");
takeToken();

const desk = new Desk();
const pages = {
  game: new PlayPage(desk),
  practice: new PracticePage(desk),
  test: new TestPage(desk),
  train: new TrainPage(desk),
  review: new ReviewPage(desk),
};
const header = element("header");
document.body.append(header, desk.node);
let opened = "game";

function useTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  localStorage.setItem(THEME, theme);
}

function open(name) {
  opened = name;
  drawHeader();
  desk.open(pages[name]);
  desk.toBoard();
}

function drawHeader() {
  document.title = `${t(pages[opened].title)} · Endgame 2048`;
  const tabs = Object.entries(pages).map(([name, page]) =>
    element(
      "button",
      { type: "button", "aria-current": name === opened ? "page" : null, onclick: () => open(name) },
      t(page.title),
    ),
  );
  header.replaceChildren(
    element("a", { class: "skip", href: "#board" }, t("To the board")),
    element("h1", {}, "Endgame 2048"),
    element("nav", { "aria-label": t("Pages") }, ...tabs),
    element(
      "div",
      { class: "tools" },
      element("button", { type: "button", class: "keys", onclick: showKeys, title: t("Keys"), "aria-label": t("Keys") }, "?"),
      element("button", { type: "button", onclick: showSettings }, t("Settings")),
    ),
  );
}

function dialog(title, ...children) {
  const node = element(
    "dialog",
    {
      "aria-label": title,
      onclose: () => {
        node.remove();
        desk.toBoard();
      },
    },
    element(
      "form",
      { method: "dialog" },
      element("h2", {}, title),
      element("button", { class: "close", "aria-label": t("Close") }, "✕"),
    ),
    ...children,
  );
  document.body.append(node);
  node.showModal();
  return node;
}

function showKeys() {
  const rows = desk.page.hasOwnArrows ? [] : [[t("arrows, WASD, HJKL"), t("move")]];
  for (const { key, text } of desk.page.actions()) if (key) rows.push([keyName(key), text]);
  rows.push(["?", t("these keys")]);
  dialog(
    t("Keys"),
    element("table", {}, ...rows.map(([key, text]) => element("tr", {}, element("td", {}, element("kbd", {}, key)), element("td", {}, text)))),
  );
}

function group(legend, pairs, value, onchange) {
  const buttons = pairs.map(([one, text]) =>
    element("label", {}, element("input", { type: "radio", name: legend, checked: one === value, onchange: () => onchange(one) }), text),
  );
  return element("fieldset", {}, element("legend", {}, legend), ...buttons);
}

function showSettings() {
  const node = dialog(
    t("Settings"),
    group(t("Theme"), THEMES.map(([name, text]) => [name, t(text)]), localStorage.getItem(THEME) ?? "", useTheme),
    group("Language / 语言", Object.entries(LANGUAGES), language(), (code) => {
      useLanguage(code, true);
      node.close();
      drawHeader();
      desk.page.enter();
      desk.refresh();
      showSettings();
    }),
    element("div", { class: "row" },
      element("button", { type: "button", onclick: () => { node.close(); showPhone(); } }, t("On your phone")),
      element("button", { type: "button", onclick: () => { node.close(); askForToken(); } }, t("Enter the token")),
    ),
    element("p", { class: "quiet" }, element("a", { href: "/docs" }, t("What programs can ask"))),
  );
}

async function showPhone() {
  try {
    const { url, rows } = await ask("/link");
    const dark = rows.flatMap((row, y) => [...row].map((cell, x) => (cell === "1" ? `M${x} ${y}h1v1h-1z` : "")));
    dialog(
      t("On your phone"),
      element("p", {}, t("Scan this with the camera of a phone on the same network. Anyone with this address can use the service.")),
      drawing(
        "svg",
        { class: "qr", viewBox: `-4 -4 ${rows.length + 8} ${rows.length + 8}`, role: "img", "aria-label": t("QR code") },
        drawing("rect", { x: -4, y: -4, width: rows.length + 8, height: rows.length + 8, fill: "#fff" }),
        drawing("path", { d: dark.join(""), fill: "#000" }),
      ),
      element("p", { class: "address" }, url),
    );
  } catch (error) {
    const isOff = error instanceof ServiceError && error.status === 404;
    if (isOff) {
      dialog(
        t("On your phone"),
        element("p", {}, t("Phones can't connect yet. Stop the service, and start it again with:")),
        element("pre", {}, "endgame2048 serve --lan"),
      );
    } else desk.tellError(error);
  }
}

function askForToken() {
  if (document.querySelector("dialog[open]")) return;
  const input = element("input", { autocomplete: "off", spellcheck: "false", "aria-label": t("Token") });
  const node = dialog(
    t("Enter the token"),
    element("p", {}, t("endgame2048 serve prints it at its start. It is kept for this tab only.")),
    element(
      "form",
      {
        class: "row",
        onsubmit: (event) => {
          event.preventDefault();
          setToken(input.value);
          node.close();
          desk.tell("");
          open(opened);
        },
      },
      input,
      element("button", { class: "main" }, t("Use it")),
    ),
  );
  input.focus();
}

document.addEventListener("token-wanted", askForToken);
document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || event.target.closest?.("input, dialog")) return;
  event.preventDefault();
  showKeys();
});
addEventListener("hashchange", () => {
  if (takeToken()) open(opened);
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (!file) return;
  open("review");
  pages.review.open(file);
});

open(opened);
navigator.serviceWorker?.register("/sw.js").catch(() => {}); // without it the page needs the service

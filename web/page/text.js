/** The texts of the page in the chosen language, and the format of numbers. */

import { zh_CN } from "./zh_CN.js";

export const LANGUAGES = { en: "English", zh_CN: "简体中文" };
const KEPT = "language";

const ofSystem = () => (navigator.language.toLowerCase().startsWith("zh") ? "zh_CN" : "en");
let inForce = "en";

/** Start with the language chosen last, or with the system's language. */
export function readLanguage() {
  const kept = localStorage.getItem(KEPT);
  useLanguage(kept in LANGUAGES ? kept : ofSystem());
}

export function useLanguage(code, isChosen = false) {
  inForce = code;
  document.documentElement.lang = code.replace("_", "-");
  if (isChosen) localStorage.setItem(KEPT, code);
}

export const language = () => inForce;

/** Return a text in the current language, with values in place of {name}. */
export function t(text, values = {}) {
  const found = inForce === "zh_CN" ? (zh_CN[text] ?? text) : text;
  return found.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** Return a text that is translated where it is shown. */
export const mark = (text) => text;

export const number = (value) => value.toLocaleString(inForce.replace("_", "-"));

/** Return the name of a table as people say it: 442 → 128. */
export function tableTitle(name) {
  const at = name.lastIndexOf("_");
  return at < 0 ? name : `${name.slice(0, at)} → ${name.slice(at + 1)}`;
}

const NEAR = 1e-5;

function scientific(value, digits) {
  return value.toExponential(digits).replace("e+", "e");
}

/** Return a success rate: 0 % or 100 % only when it is exactly that. */
export function rateText(rate, digits = 0) {
  if (rate <= 0 || rate >= 1) return rate <= 0 ? "0 %" : "100 %";
  const rest = Math.min(rate, 1 - rate);
  if (rest < NEAR) {
    const small = scientific(rest, 1 + digits);
    return rate > 0.5 ? `1 − ${small}` : small;
  }
  return `${(rate * 100).toFixed(decimalsOf(rest) + digits)} %`;
}

/** Return the decimals of a percentage so far from 0 or 100 that it is rounded to neither. */
const decimalsOf = (rest) => Math.max(2, Math.ceil(-Math.log10(rest * 100) - 1e-9));

/** Return rates shown next to each other, with as many decimals, for all of them, as tell them apart. */
export function rateTexts(rates) {
  const known = [...new Set(rates.filter((rate) => rate !== null))];
  const rests = known.map((rate) => Math.min(rate, 1 - rate));
  const least = Math.max(0, ...rests.filter((rest) => rest >= NEAR).map(decimalsOf));
  for (let digits = 0; ; digits++) {
    const texts = known.map((rate, i) =>
      rateText(rate, rests[i] < NEAR ? digits : least + digits - decimalsOf(rests[i])),
    );
    if (digits === 6 || new Set(texts).size === known.length) {
      return rates.map((rate) => (rate === null ? "" : texts[known.indexOf(rate)]));
    }
  }
}

/** Return the loss of a move, in percentage points. */
export function lossText(points) {
  const percent = points * 100;
  if (percent === 0) return "";
  if (percent < 1e-4) return t("about equal");
  const decimals = Math.max(0, Math.min(4, 1 - Math.floor(Math.log10(percent))));
  return t("−{n} pts", { n: percent.toFixed(decimals) });
}

export const moveWord = (name) =>
  ({ left: t("Left"), right: t("Right"), up: t("Up"), down: t("Down") })[name];

export const gradeWord = (name) =>
  ({
    perfect: t("Perfect"),
    excellent: t("Excellent"),
    good: t("Good"),
    inaccurate: t("Inaccurate"),
    mistake: t("Mistake"),
    blunder: t("Blunder"),
    disaster: t("Disaster"),
  })[name];

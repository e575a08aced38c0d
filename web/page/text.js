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
const TINY = 1e-10; // a percentage this small has too many zeros to count

/** Return a success rate: 0 % or 100 % only when it is exactly that. */
export function rateText(rate, digits = 0) {
  if (rate <= 0 || rate >= 1) return rate <= 0 ? "0 %" : "100 %";
  if (rate < TINY) return `${(rate * 100).toExponential(1 + digits)} %`;
  return `${(rate * 100).toFixed(decimalsOf(Math.min(rate, 1 - rate)) + digits)} %`;
}

/** Return the decimals of a percentage so far from 0 or 100 that it is rounded to neither. */
const decimalsOf = (rest) => Math.max(2, Math.ceil(-Math.log10(rest * 100) - 1e-9)) + (rest < NEAR);

const MIN_POINTS = 1e-3; // fewer are no loss, unless next to nothing was left to lose
const GRADE_RATIOS = [0.999, 0.99, 0.975, 0.9, 0.75];
const LAST_BITS = 1e-12;
const MOST_DIGITS = 20;

/** Return the rates to show, the decimals of percentages, and the digits more of the others. */
function precision(rates) {
  const best = Math.max(0, ...rates);
  const within = Math.min(MIN_POINTS / 100, best / 1000);
  const shown = rates.map((rate) => (rate && best - rate <= within ? best : rate));
  let [decimals, digits] = [0, 0];
  for (const rate of shown.filter((one) => one !== null)) {
    const others = shown.filter(
      (one) => one !== null && (Math.abs(rate - one) > within || (rate === 0) !== (one === 0)),
    );
    let more = 0;
    while (more < MOST_DIGITS && others.some((one) => rateText(one, more) === rateText(rate, more))) more++;
    const rest = Math.min(rate, 1 - rate);
    if (rest >= NEAR) decimals = Math.max(decimals, decimalsOf(rest) + more);
    else if (rest > 0) digits = Math.max(digits, more);
  }
  return { shown, decimals, digits };
}

/** Return rates shown next to each other, as precise as those differ that are not as good. */
export function rateTexts(rates) {
  const { shown, decimals, digits } = precision(rates);
  return shown.map((rate) => {
    if (rate === null) return "";
    const rest = Math.min(rate, 1 - rate);
    return rateText(rate, rest < NEAR ? digits : decimals - decimalsOf(rest));
  });
}

/** Return what each of these rates loses against the best: the difference of what is shown. */
export function lossTexts(rates) {
  const { shown, decimals } = precision(rates);
  const best = Math.max(0, ...shown);
  return shown.map((rate) => (rate === null || rate === best ? "" : lossText(rate, best, decimals)));
}

/** Return how far two percentages are apart as they are shown, with so many decimals. */
function lossText(rate, best, decimals) {
  const round = (one) => Number((one * 100).toFixed(decimals));
  const points = Number((round(best) - round(rate)).toFixed(decimals));
  if (points < MIN_POINTS) return rate > 0 ? t("<{n} pts", { n: MIN_POINTS }) : t("all lost");
  const needed = Math.max(0, 1 - Math.floor(Math.log10(Number(points.toPrecision(2)))));
  let digits = Math.min(needed, decimals);
  while (digits < decimals && gradesLost(points.toFixed(digits) / 100, best) !== gradesLost(best - rate, best)) digits++;
  return t("−{n} pts", { n: points.toFixed(digits) });
}

/** Return how many grades a loss costs: as many digits are shown as it takes to read the same. */
const gradesLost = (loss, best) => GRADE_RATIOS.filter((ratio) => best - loss < ratio * best - LAST_BITS).length;

/** Return the figures and losses of estimated chances, which are good to a tenth of a percent. */
export function chanceTexts(chances) {
  const figures = chances.map((one) => (one > 0 ? matchText(Math.min(one, 0.9999)) : one === null ? "" : "0"));
  const best = Math.max(0, ...chances);
  const top = figures[chances.indexOf(best)];
  return [figures, chances.map((one, i) => (one === null || figures[i] === top ? "" : lossText(one, best, 1)))];
}

/** Return a match rate: 0 % or 100 % only when it is exactly that. */
export function matchText(rate) {
  if (rate <= 0 || rate >= 1) return rateText(rate);
  if (rate < 5e-4 || rate >= 1 - 5e-4) return rate < 0.5 ? "< 0.1 %" : "> 99.9 %";
  return `${(rate * 100).toFixed(1)} %`;
}

/** Return how many of the judged moves were perfect, as the window says it. */
export const perfectText = (n, all) => t("{n} of {all}", { n: number(n), all: number(all) });

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

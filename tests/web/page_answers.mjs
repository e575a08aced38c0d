// Uses the pages while the service answers when it is told to: a line of JSON in, a line out.
// node page_answers.mjs FOLDER: a copy of web/page. A line is a list of steps, its answer what was
// to be seen after each; time passes only by a step.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const folder = pathToFileURL(`${process.argv[2]}/`);
const { boardText } = await import(new URL("rules.js", folder));
const { PlayPage } = await import(new URL("play.js", folder));
const { ReviewPage } = await import(new URL("review.js", folder));
const { TrainPage } = await import(new URL("train.js", folder));
const { PracticePage, TestPage } = await import(new URL("training.js", folder));

const nothing = () => {};
const settled = () => new Promise((done) => setImmediate(done));

class Storage {
  kept = new Map();

  getItem(name) {
    return this.kept.get(name) ?? null;
  }

  setItem(name, value) {
    this.kept.set(name, value);
  }
}

/** Timers that go off when time is said to have passed. */
class Timers {
  now = 0;
  n = 0;
  waiting = new Map();

  set(run, ms) {
    this.waiting.set(++this.n, { run, at: this.now + ms });
    return this.n;
  }

  async pass(ms) {
    this.now += ms;
    for (const [name, { run, at }] of [...this.waiting]) {
      if (at > this.now || !this.waiting.delete(name)) continue;
      run();
      await settled();
    }
  }
}

/** What the pages draw on, as desk.js has it, without a document. */
class Desk {
  shown = { board: "", arrow: null, notice: "" };
  said = { textContent: "" };
  side = { querySelector: () => null };
  refresh = nothing;
  toBoard = nothing;
  readMove = nothing;
  board = {
    show: (cells) => (this.shown.board = boardText(cells)),
    point: (direction) => (this.shown.arrow = direction),
  };

  open(page) {
    this.page?.leave();
    this.page = page;
    this.tell("");
    this.board.point(null);
    page.enter();
  }

  tell(text) {
    this.shown.notice = text;
  }

  tellError(error) {
    this.tell(error.message);
  }

  press(key) {
    this.page.actions().find((one) => one.key === key && !one.isOff)?.run();
  }
}

async function seen(steps) {
  Object.assign(globalThis, { localStorage: new Storage(), sessionStorage: new Storage() });
  const timers = new Timers();
  globalThis.setTimeout = (run, ms) => timers.set(run, ms);
  globalThis.clearTimeout = (name) => timers.waiting.delete(name);
  const asked = [];
  globalThis.fetch = (path, { body, method }) =>
    new Promise((resolve) => {
      const answer = (status, found) => resolve({ ok: status === 200, status, json: async () => found });
      const said = body && !(body instanceof Blob) ? JSON.parse(body) : null;
      asked.push({ path: path.replace("/v1/", ""), body: said, method, answer });
    });
  const desk = new Desk();
  const pages = { game: new PlayPage(desk), practice: new PracticePage(desk), test: new TestPage(desk), train: new TrainPage(desk), review: new ReviewPage(desk) };
  const does = {
    open: (name) => desk.open(pages[name]),
    start: (seed) => desk.page.start(BigInt(seed)),
    press: (key) => desk.press(key),
    mistakes(isOn) {
      desk.page.choosePositions(isOn);
    },
    look: (n) => desk.page.lookAt(n),
    file: (name) => void desk.page.open(Object.assign(new Blob(["moves"]), { name })),
    move: (direction) => desk.page.move(direction),
    answer: ([n, found, status = 200]) => asked[n].answer(status, found),
    pass: (ms) => timers.pass(ms),
  };
  const found = [];
  for (const step of steps) {
    const [[name, value]] = Object.entries(step);
    await does[name](value);
    await settled();
    const isPlaying = Boolean(desk.page.isPlaying);
    const summary = desk.page.summary?.() ?? "";
    const score = desk.page.score?.() ?? null;
    const tables = desk.page.tables ?? [];
    found.push({ ...desk.shown, said: desk.said.textContent, isPlaying, summary, score, tables, asked: asked.map(({ path, body, method }) => ({ path, method, ...body })) });
  }
  return found;
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await seen(JSON.parse(line))));
}

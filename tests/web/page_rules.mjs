// Plays what it reads, by the rules of the page: a line of JSON in, a line of JSON out.
// node page_rules.mjs FOLDER: a copy of web/page.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const folder = pathToFileURL(`${process.argv[2]}/`);
const rules = await import(new URL("rules.js", folder));
const text = await import(new URL("text.js", folder));
const { zh_CN } = await import(new URL("zh_CN.js", folder));
const { Game } = await import(new URL("game.js", folder));
const graph = await import(new URL("graph.js", folder));

const answers = {
  // Every position of a game; -1 takes a move back, what is not legal changes nothing.
  game({ rows, columns, seed, kind, moves }) {
    const game = new Game(rows, columns, seed, kind);
    const told = () => [rules.boardText(game.cells), game.score, game.moves, game.isOver];
    const found = [told()];
    for (const direction of moves) {
      if (direction < 0) game.undo();
      else game.move(direction);
      found.push(told());
    }
    return found;
  },
  // A board after each of the four moves, the points, and where tiles went.
  slides({ board, kind }) {
    const cells = rules.readBoard(board);
    return rules.DIRECTIONS.map((_, direction) => {
      const { cells: after, gained, slides } = rules.slide(cells, 4, direction, kind);
      const ways = slides.map(({ from, to, merged }) => [from, to, merged]);
      return [rules.boardText(after), gained, ways.sort((one, other) => one[0] - other[0])];
    });
  },
  stream({ seed, n }) {
    const rng = new rules.Rng(seed);
    return Array.from({ length: n }, (_, i) => [String(rng.nextU64()), rng.below(i + 1), rng.random()]);
  },
  tile({ board, seed, n, spawn4 }) {
    const { cell, exponent } = rules.drawTestTile(rules.readBoard(board), seed, n, spawn4);
    return [cell, exponent];
  },
  // A game that was saved and opened again goes on as the other one.
  saved({ seed, kind, moves }) {
    const game = new Game(5, 3, seed, kind);
    for (const direction of moves) game.move(direction);
    const again = Game.from(game.saved());
    for (const one of [game, again]) for (const direction of [0, 2, 1, 3]) one.move(direction);
    return [rules.boardText(game.cells), rules.boardText(again.cells), again.canUndo];
  },
  opened({ text: kept }) {
    return Game.from(kept) === null;
  },
  chinese: () => zh_CN,
  rate: ({ rate }) => text.rateText(rate),
  rates: ({ rates }) => text.rateTexts(rates),
  losses: ({ rates }) => text.lossTexts(rates),
  chances: ({ chances }) => text.chanceTexts(chances),
  match: ({ rate }) => text.matchText(rate),
  perfect: ({ counts }) => text.perfectText(...counts),
  span({ chances }) {
    const span = graph.spanOf(chances);
    return [span.low, span.high, ...graph.endTexts(span)];
  },
  graph: ({ chances, bad }) => graph.graphOf(chances, bad),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { ask, ...given } = JSON.parse(line);
  console.log(JSON.stringify(answers[ask](given)));
}

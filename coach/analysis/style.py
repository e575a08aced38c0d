"""The style sheet of the page that tells an analysis: light or dark as the reader has it."""

STYLE = """
:root { color-scheme: light dark; --ground: #fbfaf8; --card: #ffffff; --text: #23211e;
  --muted: #6a655d; --line: #dcd7cf; --rate: #1f6f8b; --skill: #b0422c; --luck: #6b4fa0;
  --cell: #f1ebe1; --tile: #efa85e; --empty: #f8f6f2; --good: #2f7d4f; --warn: #9a6700;
  --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ground: #191a1c; --card: #222427; --text: #e9e6e1;
  --muted: #a39d93; --line: #3a3d41; --rate: #6cc0dc; --skill: #f08a72; --luck: #b49cf0;
  --cell: #34373b; --tile: #80501f; --empty: #27292c; --good: #6fcf97; --warn: #e3b341;
  --bad: #ff8a80; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; -webkit-text-size-adjust: 100%; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.4rem; line-height: 1.3; margin: 0 0 .3rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 0; }
h3 { font-size: .8rem; font-weight: normal; color: var(--muted); margin: 1.2rem 0 .2rem; }
.muted { color: var(--muted); } p { margin: .2rem 0; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: 1rem 1.2rem; margin-top: 1rem; scroll-margin-top: 1rem; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.2rem, 1fr));
  gap: .6rem 1rem; margin: .9rem 0; }
dt { color: var(--muted); font-size: .8rem; } dd { margin: 0; font-variant-numeric: tabular-nums; }
.two { grid-column: span 2; }
.wide { overflow-x: auto; margin: 0 -.6rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; }
th, td { text-align: right; padding: .35rem .6rem; white-space: nowrap;
  border-bottom: 1px solid var(--line); }
tr:last-child td { border-bottom: 0; }
th { color: var(--muted); font-weight: normal; font-size: .8rem; }
th:first-child, td:first-child, .text { text-align: left; }
td.text { white-space: normal; min-width: 9rem; }
a { color: inherit; text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--rate); outline-offset: 2px; }
.counts span { white-space: nowrap; margin-right: .6rem; }
figure { margin: 1.1rem 0 0; }
figcaption, .scale, .span { color: var(--muted); font-size: .8rem; }
figcaption > span { white-space: nowrap; margin-right: .8rem; }
.key { display: inline-block; width: 24px; height: 8px; margin-right: .35rem; }
.chart { display: grid; grid-template-columns: 1fr 4.6rem; gap: .2rem .6rem; margin-top: .5rem; }
.plot { position: relative; height: 8rem; }
.plot svg { position: absolute; width: 100%; height: 100%; overflow: visible; }
polyline, .key path { fill: none; stroke-width: 1.75; stroke-linejoin: round;
  vector-effect: non-scaling-stroke; }
.mark { position: absolute; transform: translate(-50%, -50%); line-height: 1; font-size: .85rem;
  text-shadow: 0 0 3px var(--card), 0 0 3px var(--card); cursor: default; }
.scale { display: flex; flex-direction: column; justify-content: space-between; line-height: 1;
  font-variant-numeric: tabular-nums; }
.span { display: flex; justify-content: space-between; }
.worst { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.4rem, 1fr));
  gap: 1rem 1.1rem; font-size: .87rem; }
.worst > div { break-inside: avoid; }
.board { display: grid; grid-template-columns: repeat(4, 1fr); gap: 3px; margin: .4rem 0;
  max-width: 11rem; }
.board span { background: var(--cell); border-radius: 4px; aspect-ratio: 1; min-width: 0;
  background: color-mix(in srgb, var(--tile) var(--by), var(--cell));
  display: grid; place-items: center; font-size: .72rem; letter-spacing: -.02em; }
.board .e { background: var(--empty); }
.perfect, .excellent, .good { color: var(--good); }
.inaccurate, .mistake { color: var(--warn); } .blunder, .disaster { color: var(--bad); }
.problem { color: var(--warn); }
@media (max-width: 34rem) { main { padding: 1rem .6rem 3rem; } section { padding: .9rem .8rem; }
  .plot { height: 7rem; } td.text { white-space: nowrap; }
  .wide { margin: 0 -.4rem; } th, td { padding: .35rem .4rem; } }
@media print { body { background: none; } section { break-inside: auto; border: 0; padding: 0; } }
"""

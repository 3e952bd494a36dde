"""The look that Streamlit's theme does not give: cards, grids of cells, chips of shapes.

Colours come in pairs for the light and the dark theme; the browser chooses.
"""

from functools import lru_cache

from playground.ui.view import view

SHEET = """
:root, .stApp {
  --batch: light-dark(#0b5fff, #6ea8ff); --on-batch: light-dark(#ffffff, #0b1220);
  --outer: light-dark(#8b2fd6, #c99bff);
  --batch-soft: light-dark(#dbe7ff, #1d3157); --lit: light-dark(#e08a00, #ffb547);
  --ink: light-dark(#15202b, #e6edf3); --mute: light-dark(#5b6773, #a3afbd);
  --shared: light-dark(#d5dae1, #3a4454); --line: light-dark(#e3e8ef, #2a3342);
  --card: light-dark(#f6f8fb, #161b26); --cell: light-dark(#eef1f6, #1f2736);
  --good: light-dark(#0f6e50, #4cc79b); --bad: light-dark(#b3261e, #ff8a80);
  --note: light-dark(#fff8ec, #2b2416); --refuse: light-dark(#fdf1f0, #2f1b1b);
  --mono: "Source Code Pro", ui-monospace, "DejaVu Sans Mono", monospace;
}
.st-key-lead { margin-top: -0.6rem; max-width: 64rem; }
.st-key-lead p { color: var(--mute); font-size: 1.05rem; }
.strip { display: grid; gap: 14px; grid-template-columns: repeat(auto-fit, minmax(210px, 1fr)); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: 12px 16px; color: var(--ink); min-width: 0; overflow-x: auto; }
.lab { font-size: 0.8rem; color: var(--mute); margin-bottom: 4px; letter-spacing: .02em; }
.big { font: 600 1.3rem/1.4 var(--mono); overflow-wrap: anywhere; }
.big b { color: var(--batch); } .big i { color: var(--mute); font-style: normal; }
.big b.outer { color: var(--outer); } .big sub { font-size: .62em; margin-left: 1px; }
.index { font: 0.78rem var(--mono); color: var(--batch); margin-right: 10px; }
.index.outer { color: var(--outer); }
.level { color: var(--batch); font-weight: 600; } .level.outer { color: var(--outer); }
.index.now { font-weight: 700; text-decoration: underline; text-underline-offset: 3px; }
.below { font-size: 0.85rem; color: var(--mute); overflow-wrap: anywhere; }
.below.good, .good > span:first-child { color: var(--good); }
.below.bad, .bad > span:first-child { color: var(--bad); }
ul.checks { list-style: none; margin: 0; padding: 0; color: var(--ink); }
ul.checks li { margin: 2px 0; padding: 0; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.note, .refuse { border-left: 4px solid var(--lit); background: var(--note); color: var(--ink);
  padding: 10px 14px; border-radius: 6px; }
.refuse { border-color: var(--bad); background: var(--refuse); }
table.board { border-collapse: separate; border-spacing: 3px; margin: 2px 0; }
table.board td, table.board th { min-width: 38px; height: 28px; padding: 0 5px; border: 0;
  text-align: center; font: 0.82rem var(--mono); border-radius: 4px; }
table.board th { font-weight: 400; color: var(--mute); min-width: 18px; height: 18px; }
table.board th.index { color: var(--batch); } table.board th.index.outer { color: var(--outer); }
table.board td { background: var(--cell); color: var(--ink); }
table.board td.batch { background: var(--batch-soft); }
table.board td.shared { background: var(--shared); }
table.board td.lit { outline: 3px solid var(--lit); outline-offset: 0;
  background: var(--batch); color: var(--on-batch); }
table.board td.differs { background: var(--refuse); color: var(--bad);
  text-decoration: underline dotted; }
.big .refused { color: var(--bad); }
.rows { overflow-x: auto; color: var(--ink); }
.rows table { border-collapse: collapse; font-size: 0.9rem; }
.rows th, .rows td { border: 1px solid var(--line); padding: 6px 10px; text-align: left;
  vertical-align: top; overflow-wrap: anywhere; }
.rows th { color: var(--mute); font-weight: 600; overflow-wrap: normal; min-width: 3.5rem; }
.rows code { font: 0.8rem var(--mono); color: var(--ink); background: none; padding: 0; }
.rows b { color: var(--bad); }
@media (max-width: 640px) {
  .rows.stacks thead { display: none; }
  .rows.stacks td { display: block; border-top: 0; }
  .rows.stacks td:first-child { border-top: 1px solid var(--line); background: var(--card); }
  .rows.stacks td:not(:first-child)::before { content: attr(data-of) ": "; color: var(--mute); }
}
.planes { display: flex; flex-wrap: wrap; gap: 12px; }
table.equations { border-collapse: collapse; font: 0.82rem/1.6 var(--mono); width: 100%; }
table.equations th { text-align: left; font-weight: 400; color: var(--mute); padding: 2px 8px; }
table.equations td { vertical-align: top; padding: 3px 8px; border-top: 1px solid var(--line); }
mark { color: inherit; background: none; }
mark.batch { background: var(--batch-soft); color: var(--batch); font-weight: 600;
  border-radius: 4px; padding: 0 3px; }
mark.flag { background: var(--note); color: var(--ink); border-bottom: 3px solid var(--lit); }
"""

LARGE = ".stApp { font-size: 1.25rem; } .stApp .stMarkdown p, .stApp li { font-size: 1.25rem; }"


@lru_cache(maxsize=2)
def _sheet(is_large: bool) -> str:
    return f"<style>{SHEET}{LARGE if is_large else ''}</style>"


def style() -> str:
    """Return the style sheet of this view as an HTML element."""
    return _sheet(view().size == "large")

"""What the page Cheat sheet shows: its tables, its links, and how it is printed."""

import streamlit as st

from playground.figures import cheat_sheet as figures
from playground.lessons import cheat_sheet
from playground.lessons.cheat_rows import COMMON
from playground.ui.cheat_sheet_links import destination
from playground.ui.controls import Panel
from playground.ui.language import lang, t
from playground.ui.links import address
from playground.ui.navigation import title
from playground.ui.work import compute

MOST_LINES, SETUP_PIXELS = 7, 176

LOOK = """
.cheat table { border-collapse: collapse; width: 100%; table-layout: fixed; color: var(--ink);
  font-size: 0.9rem; }
.cheat th, .cheat td { border: 0; border-top: 1px solid var(--line); padding: 6px 10px 6px 0;
  text-align: left; vertical-align: top; overflow-wrap: anywhere; }
.cheat th { color: var(--mute); font-weight: 600; border-top: 0; }
.cheat th:nth-child(1) { width: 36%; } .cheat th:nth-child(2) { width: 22%; }
.cheat th:nth-child(3) { width: 32%; } .cheat th:nth-child(4) { width: 10%; }
.cheat code { font: 0.82rem/1.5 var(--mono); color: var(--ink); background: none; padding: 0; }
.cheat td:nth-child(3) code { font-weight: 600; } .cheat code.error { color: var(--bad); }
.cheat td:nth-child(3) code.error { font-weight: 400; }
h3.printed { display: none; }
.cheat a { color: var(--batch); text-decoration: none; }
.cheat a:hover, .cheat a:focus { text-decoration: underline; }
@media screen and (max-width: 640px) {
  .cheat table, .cheat tbody, .cheat tr, .cheat td { display: block; width: auto; }
  .cheat thead { display: none; }
  .cheat tr { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
    padding: 8px 12px; margin: 0 0 10px; }
  .cheat td { border: 0; padding: 2px 0; }
  .cheat td:nth-child(2) { color: var(--mute); }
  .cheat td:nth-child(4) a { display: inline-block; padding: 6px 0; }
}
"""

PRINT = """
@media print {
  @page { margin: 12mm; }
  :root, .stApp { color-scheme: light !important; --ink: #15202b; --mute: #4a5560;
    --batch: #0b5fff; --bad: #b3261e; --line: #c9d0d8; }
  html, body, #root, .stApp, .stApp > *, [data-testid="stAppViewContainer"],
  [data-testid="stMain"] { position: static !important; overflow: visible !important;
    height: auto !important; background: #ffffff !important; color: #15202b !important; }
  [data-testid="stMainBlockContainer"] { padding: 0 !important; max-width: none !important; }
  [data-testid="stHeader"], [data-testid="stToolbar"], [data-testid="stStatusWidget"],
  [data-testid="stExpander"], [data-testid="stPopover"], .stButton, .stDownloadButton,
  .stTextInput, .stSelectbox, [data-testid="stButtonGroup"], [data-testid="stCodeCopyButton"],
  .st-key-cheat_controls, .st-key-cheat_hints { display: none !important; }
  h3.printed { display: block; margin: 6pt 0; }
  h1, h2, h3, p, .stCode, .stCode pre, .stCode code { color: #15202b !important;
    background: #ffffff !important; }
  [data-testid="stElementContainer"], [data-testid="stLayoutWrapper"], .stCode, .stCode div,
  .stCode pre { height: auto !important; max-height: none !important;
    overflow: visible !important; }
  .stCode pre { border: 1px solid #c9d0d8; padding: 4px 8px !important; }
  .stCode code, .stCode span { font-size: 7.5pt !important; white-space: pre-wrap !important; }
  .stCode span { color: #15202b !important; }
  h1 { font-size: 18pt !important; } h3 { font-size: 13pt !important; break-after: avoid; }
  .stCode { break-after: avoid; break-inside: avoid; }
  [data-testid="stVerticalBlock"] { display: block !important; }
  .cheat { margin-bottom: 10pt; } .cheat table { font-size: 8.5pt; }
  .cheat code { font-size: 7.5pt; }
  .cheat thead { display: table-header-group; } .cheat tr { break-inside: avoid; }
}
"""


def look() -> None:
    """Add the style sheet of the tables and of the printed page."""
    st.html(f"<style>{LOOK}{PRINT}</style>")


def controls(panel: Panel[cheat_sheet.CheatSheetSettings]) -> cheat_sheet.CheatSheetSettings:
    """Ask for words and a topic."""

    def topic_name(name: str) -> str:
        if name == cheat_sheet.ALL:
            return t("All topics", "全部主题")
        return cheat_sheet.TOPICS[name].title(lang())

    with st.container(key="cheat_controls"):
        left, right = st.columns([2, 1])
        with left:
            panel.choose(
                "search",
                t("Search", "搜索"),
                help=t(
                    "Words of the call, of what it is for, or of its result: pmean, ValueError.",
                    "调用、用途或结果中的词，例如 pmean、ValueError。",
                ),
            )
        with right:
            panel.choose("topic", t("Topic", "主题"), labels=topic_name, style="select")
    return panel.settings()


def link(topic: str, name: str) -> tuple[str, str]:
    """Return the address that a row leads to, and the title of the page there."""
    page, settings = destination(topic, name)
    return address(page, settings, lang=lang()), title(page)


def tables(settings: cheat_sheet.CheatSheetSettings) -> cheat_sheet.CheatSheetResult:
    """Show topic after topic, each as soon as its calls have run."""
    is_single = len(settings.topics) == 1
    setup(COMMON + (settings.topics[0].setup if is_single else ""))
    for topic in settings.topics:
        one = cheat_sheet.CheatSheetSettings(topic.name, settings.search)
        for rows in compute(cheat_sheet.compute, one).found.values():
            if is_single:
                st.html(f'<h3 class="printed">{topic.title(lang())}</h3>')
            else:
                st.subheader(topic.title(lang()), anchor=False)
                setup(topic.setup)
            st.html(figures.sheet(topic.name, rows, link, lang()))
    return cheat_sheet.compute(settings)


def setup(lines: str) -> None:
    """Show what calls need, to copy with one click; on the screen long ones scroll."""
    is_long = lines.count("\n") > MOST_LINES
    st.code(lines, language="python", height=SETUP_PIXELS if is_long else "content")


def hints(settings: cheat_sheet.CheatSheetSettings, count: int) -> None:
    """Say how many rows are shown, and where more of them are."""
    kind = cheat_sheet.CheatSheetSettings
    with st.container(key="cheat_hints", horizontal=True, vertical_alignment="center"):
        st.caption(t(f"Calls shown: {count}.", f"共显示 {count} 个调用。"))
        if settings.elsewhere:
            more = settings.elsewhere
            st.button(
                t(f"Show {more} more of the other topics", f"显示其他主题的另外 {more} 个"),
                key="cheat_everywhere",
                on_click=Panel.put,
                args=(kind, kind(cheat_sheet.ALL, settings.search)),
                icon=":material/unfold_more:",
            )
        if not settings.topics[1:] and not count and not settings.elsewhere:
            st.caption(t("Try fewer words.", "试试更少的词。"))
        st.caption(
            t(
                "Print with Ctrl+P or ⌘P: controls are left out.",
                "用 Ctrl+P 或 ⌘P 打印：控件不会印出。",
            )
        )


def files(
    settings: cheat_sheet.CheatSheetSettings, result: cheat_sheet.CheatSheetResult
) -> dict[str, bytes]:
    """Return the rows that are shown as files to download, by name."""
    name = f"vmap_cheat_sheet_{settings.topic}"
    return {
        f"{name}.csv": figures.to_csv(result, link, lang()),
        f"{name}.md": figures.to_markdown(result, link, lang()),
    }

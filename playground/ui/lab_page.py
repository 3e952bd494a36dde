"""The controls of the Lab page: the code, the arguments, the call; asking the sandbox."""

import uuid
from dataclasses import replace
from typing import Any

import streamlit as st

from playground.practice import lab
from playground.practice.lab import LONGEST_CODE, LabAnswer, LabSettings, example_settings
from playground.practice.lab_examples import EXAMPLES
from playground.sandbox import policy, tell_server_address
from playground.ui.controls import Panel
from playground.ui.language import lang, t
from playground.ui.show import prose
from playground.ui.view import view

KEPT_ANSWERS = 12
STYLE = """<style>
.st-key-lab_code_plain textarea, .st-key-lab_arguments textarea { font-family: var(--mono);
  font-size: 0.9rem; line-height: 1.5; tab-size: 4; }
.st-key-lab_code_plain textarea { min-height: 12rem; }
</style>"""


def session() -> str:
    """Return a name for this session, so that sessions take turns in the sandbox."""
    return st.session_state.setdefault("session_name", uuid.uuid4().hex)


def restore() -> None:
    """Bring back what was written here when the user comes back from another page."""
    kept = st.session_state.get("lab_kept")
    key = LabSettings.key("in_axes")  # a widget's: Streamlit forgets it with the page
    is_linked = any(name.startswith("lab_") for name in st.query_params)
    if kept is not None and key not in st.session_state and not is_linked:
        st.session_state.setdefault("keys_linked_by_hand", set()).update(
            {LabSettings.key("code"), LabSettings.key("arguments")}
        )
        Panel.put(LabSettings, kept)


def start() -> None:
    """Offer the examples, and files."""
    labels = {t(one.english, one.chinese): one for one in EXAMPLES.values()}

    def take() -> None:
        chosen = st.session_state["lab_start"]
        if chosen is not None:
            Panel.put(LabSettings, example_settings(labels[chosen]))
        st.session_state["lab_start"] = None

    def load() -> None:
        file = st.session_state["lab_file"]
        if file is not None:
            code = file.getvalue()[:LONGEST_CODE].decode("utf-8", "replace")
            settings = st.session_state.get("lab_kept", LabSettings())
            Panel.put(LabSettings, replace(settings, code=code))
            _consent(code)

    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            t("Start from an example", "从示例开始"),
            list(labels),
            index=None,
            placeholder=t("choose…", "选择……"),
            key="lab_start",
            on_change=take,
        )
        with st.popover(t("Open .py", "打开 .py 文件"), icon=":material/upload_file:"):
            st.file_uploader("Python", type=["py"], key="lab_file", on_change=load)


def editor(panel: Panel[LabSettings]) -> None:
    """Show the field for the code."""
    st.html(STYLE)
    panel.choose(
        "code",
        t("Your code: define f for one example", "你的代码：为单个样本定义 f"),
        style="code",
        on_change=lambda: _consent(st.session_state[LabSettings.key("code")]),
        help=t(
            "`jax`, `jnp`, `lax` and `np` are there. Ctrl+Enter runs it.",
            "`jax`、`jnp`、`lax`、`np` 可直接使用。按 Ctrl+Enter 运行。",
        ),
    )


def call_controls(panel: Panel[LabSettings]) -> None:
    """Show the arguments and the axes of one or two levels."""
    panel.choose(
        "arguments",
        t("Arguments, one a line", "参数，每行一个"),
        style="area",
        help=t(
            "Shapes such as `x: (32, 8)`, or values; Ctrl+Enter applies them.",
            "写形状，例如 `x: (32, 8)`，或直接写数值；按 Ctrl+Enter 生效。",
        ),
    )
    with st.popover(t("What can stand here?", "这里可以写什么？"), type="tertiary"):
        prose("lab", "arguments")
    levels = panel.choose(
        "levels", t("Levels of vmap", "vmap 的层数"), options=(1, 2), style="radio"
    )
    if levels == 2:
        st.caption(t("Outer vmap", "外层 vmap"))
    _axes(panel, "")
    if levels == 2:
        st.caption(t("Inner vmap", "内层 vmap"))
        _axes(panel, "inner_")


def _axes(panel: Panel[LabSettings], prefix: str) -> None:
    is_inner = bool(prefix)
    name = t(" (inner)", "（内层）") if is_inner else ""
    left, right, more = st.columns([3, 2, 1], vertical_alignment="bottom")
    with left:
        panel.choose(f"{prefix}in_axes", f"in_axes{name}")
    with right:
        panel.choose(f"{prefix}out_axes", f"out_axes{name}")
    with more, st.popover(t("more", "更多"), type="tertiary", key=f"lab_more_{prefix or 'outer'}"):
        panel.choose(
            f"{prefix}axis_size", t("axis_size (-1: not given)", "axis_size（-1 表示不给出）")
        )
        panel.choose(f"{prefix}axis_name", t("axis_name (empty: none)", "axis_name（留空表示无）"))
        panel.choose(f"{prefix}sum_match", "sum_match")


def _consent(code: str) -> None:
    st.session_state.setdefault("lab_own_codes", set()).add(hash(code))


def answer_to(settings: LabSettings) -> LabAnswer | None:
    """Ask the sandbox, or take what it answered to the same question earlier in this session.

    Args:
        settings: of the page.

    Returns:
        The answer. None where there is no jail and the code came with a link: then the user is
        asked first.
    """
    st.session_state["lab_kept"] = settings
    question = replace(settings, budget_mib=LabSettings.default("budget_mib"), example=0)
    answers: dict[Any, LabAnswer] = st.session_state.setdefault("lab_answers", {})
    if question in answers:
        return answers[question]
    tell_server_address(st.get_option("server.address"))
    own = st.session_state.get("lab_own_codes", ())
    is_known = lab.is_example(settings.code) or hash(settings.code) in own
    with st.spinner(t("Running in the sandbox …", "正在沙箱中运行……"), show_time=lang() == "en"):
        answer = lab.ask(settings, session(), jail_only=not is_known)
    status = answer.outcome.status
    if status == "refused" and not is_known and policy.decide().walls:
        _ask_first(settings)
        return None
    if status not in ("busy", "refused"):  # these may be otherwise in a moment
        answers[question] = answer
        while len(answers) > KEPT_ANSWERS:
            answers.pop(next(iter(answers)))
    return answer


def _ask_first(settings: LabSettings) -> None:
    st.info(
        t(
            "This code came with the link, and there is no jail around it on this machine. Read "
            "it, then run it.",
            "这段代码来自链接，而这台机器上没有沙箱把它隔离起来。请先读一遍，再运行。",
        ),
        icon=":material/policy:",
    )
    st.button(
        t("Run this code", "运行这段代码"),
        type="primary",
        key="lab_consent",
        on_click=_consent,
        args=(settings.code,),
    )


def run_again(settings: LabSettings) -> None:
    """Show the button that runs the code anew, and the file of the code."""

    def forget() -> None:
        st.session_state.pop("lab_answers", None)
        _consent(st.session_state.get(LabSettings.key("code"), settings.code))

    with st.container(horizontal=True, vertical_alignment="center"):
        label = t("Run", "运行")
        st.button(
            label, type="primary", key="lab_run", on_click=forget, icon=":material/play_arrow:"
        )
        st.download_button(
            t("Code as .py", "下载代码（.py）"),
            settings.code,
            file_name="f.py",
            mime="text/x-python",
            key="lab_save",
            icon=":material/download:",
            on_click="ignore",
            type="tertiary",
        )
    if not settings.code_fits_link and not view().hides("lab_code"):
        st.caption(
            t(
                "This code is too long for the link; download it to keep it.",
                "代码太长，无法放进链接；请下载保存。",
            )
        )

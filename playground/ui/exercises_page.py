"""Parts of the page Exercises: editor, verdict with pictures, hints, answer, progress."""

import secrets
from typing import Any

import numpy as np
import streamlit as st

from playground.figures.boards import board
from playground.foundation.language import Language
from playground.practice.exercises import EXERCISES, Exercise, Verdict, check
from playground.practice.exercises import progress as files
from playground.practice.exercises.comparing import differs, is_number, leaves
from playground.sandbox.policy import decide
from playground.sandbox.sentences import refusal
from playground.ui.language import lang, t
from playground.ui.view import view

MONOSPACE = """<style>[class*="st-key-exercise_code"] textarea {
font-family: var(--mono); font-size: 0.86rem; line-height: 1.5; tab-size: 4; }</style>"""


def _kept(name: str) -> dict[str, Any]:
    """Return what this session keeps by exercise, whichever page is shown."""
    return st.session_state.setdefault(f"exercises_kept_{name}", {})


def task_label(task: str) -> str:
    """Name an exercise in the list; those that passed are ticked."""
    tick = "✓ " if task in _kept("solved") else ""
    return f"{tick}{task} · {t(*EXERCISES[task].title)}"


def say_whether_code_runs() -> None:
    """Say at once when this server runs no code of users, and why."""
    decision = decide()
    if not decision.walls and decision.reason:
        st.warning(refusal(decision.reason, lang()), icon=":material/front_hand:")


def editor(exercise: Exercise) -> bool:
    """Show the editor and its buttons; return whether a check was asked for."""
    key, attempts = f"exercise_code_{exercise.id}", _kept("attempts")
    if key not in st.session_state:
        st.session_state[key] = attempts.get(exercise.id, exercise.starter)

    def keep() -> None:
        attempts[exercise.id] = st.session_state[key]
        st.session_state["exercises_check"] = exercise.id

    def ask() -> None:
        attempts[exercise.id] = st.session_state[key]
        st.session_state["exercises_check"] = exercise.id

    def start_over() -> None:
        attempts.pop(exercise.id, None)
        st.session_state[key] = exercise.starter
        _kept("verdicts").pop(exercise.id, None)
        st.session_state.pop("exercises_check", None)

    st.html(MONOSPACE)
    lines = st.session_state[key].count("\n") + 2
    st.text_area(
        t("Your code (Ctrl+Enter checks it)", "你的代码（按 Ctrl+Enter 检查）"),
        key=key,
        height=min(max(lines, 14), 30) * 21 + 30,
        max_chars=files.LONGEST_CODE,
        on_change=keep,
    )
    with st.container(horizontal=True):
        st.button(
            t("Check", "检查"),
            key="exercises_ask",
            type="primary",
            icon=":material/play_arrow:",
            on_click=ask,
        )
        st.button(t("Start over", "重新开始"), key="exercises_over", on_click=start_over)
    return st.session_state.pop("exercises_check", None) == exercise.id


def verdict(exercise: Exercise, *, is_asked: bool) -> None:
    """Check when asked, and show the last verdict of this exercise with its pictures."""
    code = st.session_state[f"exercise_code_{exercise.id}"]
    verdicts = _kept("verdicts")
    if is_asked:
        session = st.session_state.setdefault("exercises_session", secrets.token_hex(8))
        with st.spinner(t("Checking on unseen data …", "正在用未见过的数据检查……")):
            verdicts[exercise.id] = (code, check(exercise.id, code, session=session))
        if verdicts[exercise.id][1].passed:
            _kept("solved")[exercise.id] = True
    checked, found = verdicts.get(exercise.id, ("", None))
    if found is None:
        return
    if checked != code:
        st.caption(t("The verdict on your earlier code:", "对之前代码的评判："))
    _say(found)
    _pictures(found)


def _say(found: Verdict) -> None:
    words = found.message(lang())
    if found.passed:
        st.success(words, icon=":material/check:")
    elif found.kind in ("refused", "busy"):
        st.warning(words, icon=":material/front_hand:")
    else:
        st.error(words, icon=":material/close:")
    line = found.details.get("line")
    if isinstance(line, int) and not found.passed:
        st.caption(t(f"Look at line {line}.", f"请看第 {line} 行。"))


def _pictures(found: Verdict) -> None:
    """Show target, yours and the difference for the array that differs first."""
    if "target" not in found.details:
        return
    shown = _arrays(found.details["target"], found.details["yours"])
    if shown is None:
        return
    path, target, yours = shown
    function = found.details["function"]
    boards = [(t("Target", "目标"), target, None)]
    if yours is not None:
        is_same = yours.shape == target.shape
        bad = differs(yours, target) if is_same else None
        boards.append((t("Yours", "你的"), yours, bad))
        if is_same:
            boards.append((t("Difference", "差"), yours - target, bad))
    sizes = ", ".join(str(np.shape(each)) for _, each in leaves(found.details["arguments"]))
    with st.expander(
        t("Target, yours, difference", "目标、你的结果、差"), expanded=not found.passed
    ):
        st.caption(
            t(
                f"`{function}`{path} on unseen data of shapes {sizes}",
                f"`{function}`{path}，未见过的数据，形状为 {sizes}",
            )
        )
        parts = (
            f"<div><b>{label}</b> <code>{array.shape}</code>"
            f"{board(array, axis=None, caption=label, differs=bad)}</div>"
            for label, array, bad in boards
        )
        st.html(f'<div class="planes" style="gap: 28px; overflow-x: auto">{"".join(parts)}</div>')


def _arrays(target: Any, yours: Any) -> tuple[str, np.ndarray, np.ndarray | None] | None:
    """Choose the first leaf that is an array of one to three axes, those that differ first."""
    mine = dict(leaves(yours))
    choices = []
    for path, wanted in leaves(target):
        value = mine.get(path)
        array = np.asarray(value, np.float64) if is_number(value) else None
        if array is not None and array.ndim > 3:
            array = None
        if not 1 <= np.ndim(wanted) <= 3 or np.size(wanted) == 0:
            continue
        is_same = (
            array is not None and array.shape == wanted.shape and not differs(array, wanted).any()
        )
        choices.append((is_same, path, wanted, array))
    if not choices:
        return None
    return min(choices, key=lambda choice: choice[0])[1:]


def hints(exercise: Exercise) -> None:
    """Show the hints asked for so far, and the button for the next."""
    shown, count = _kept("hints"), len(exercise.hints)
    known = min(shown.get(exercise.id, 0), count)

    def next_hint() -> None:
        shown[exercise.id] = known + 1
        st.session_state.pop("exercises_check", None)

    for place, hint in enumerate(exercise.hints[:known], start=1):
        st.info(f"**{place}/{count}** {t(*hint)}", icon=":material/lightbulb:")
    if known < count:
        st.button(
            t(f"Hint {known + 1} of {count}", f"提示 {known + 1}（共 {count} 条）"),
            key="exercises_hint",
            on_click=next_hint,
            icon=":material/lightbulb:",
        )


def answer(exercise: Exercise) -> None:
    """Show a reference answer after passing or on request; not when the link leaves it out."""
    if view().answers == "off":
        return
    asked = st.toggle(
        t("Show a reference answer", "显示参考答案"), key=f"exercises_answer_{exercise.id}"
    )
    if asked:
        st.code(exercise.answer, language="python", wrap_lines=True)


def progress(language: Language) -> None:
    """Offer the progress as a file, and take one."""
    solved = _kept("solved")
    with st.expander(
        t(
            f"Progress: {len(solved)} of {len(EXERCISES)} passed",
            f"进度：已通过 {len(solved)} / {len(EXERCISES)}",
        )
    ):
        st.download_button(
            t("Download progress", "下载进度"),
            lambda: files.write(files.Progress(frozenset(solved), dict(_kept("attempts")))),
            file_name="vmap-exercises.json",
            mime="application/json",
            key="exercises_download",
            on_click="ignore",
            icon=":material/download:",
        )
        given = st.file_uploader(
            t("Load progress (JSON)", "载入进度（JSON）"), type="json", key="exercises_upload"
        )
        if given is None or given.file_id in _kept("loaded"):
            return
        _kept("loaded")[given.file_id] = True
        try:
            content = given.read(files.LONGEST_FILE + 1)
            found = files.read(content, EXERCISES)
        except files.ProgressError as error:
            st.warning(error.message(language), icon=":material/warning:")
            return
        solved.update(dict.fromkeys(found.solved, True))
        for task, code in found.attempts.items():
            _kept("attempts")[task] = code
            st.session_state.pop(f"exercise_code_{task}", None)
        st.rerun()

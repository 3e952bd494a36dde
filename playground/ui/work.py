"""Running computations for a page: cached by their settings, bounded, long ones in slices."""

import time
from collections.abc import Callable, Generator
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException

from playground.foundation.limits import SECONDS, place
from playground.ui.language import t

CACHED_RESULTS = 128
SLICE_SECONDS = 0.6


def compute[S, R](function: Callable[[S], R], settings: S) -> R:
    """Return `function(settings)`, computed once for all sessions.

    Args:
        function: a pure module-level function.
        settings: a frozen dataclass.
    """
    name = getattr(function, "__qualname__", repr(function))
    return _cached(function.__module__, name, settings, function)


@st.cache_data(max_entries=CACHED_RESULTS, show_spinner=False)
def _cached(module: str, name: str, settings: Any, _function: Callable[[Any], Any]) -> Any:
    with place():
        return _function(settings)


def long_work[Y](
    key: str,
    start: Callable[[], Generator[Y, None, Any]],
    *,
    fraction: Callable[[Y], float],
    label: str,
    show: Callable[[Y], None] | None = None,
    token: Any = None,
) -> Any:
    """Run a generator when the user asks for it, with a progress bar and a button that cancels.

    Args:
        key: a name for this work on its page.
        start: makes the generator; every item it yields is a whole, smaller result.
        fraction: how much is done after an item, 0 to 1.
        label: what the button says that starts it.
        show: draws an intermediate item while the work goes on.
        token: what the result depends on (the settings); another token forgets the result.

    Returns:
        The generator's return value, or its last item when it returned None or was cancelled;
        None before the first run. A result stays until the work is started again.
    """
    running, result = f"{key}_running", f"{key}_result"
    if st.session_state.get(result, (token,))[0] != token:
        del st.session_state[result]
    with st.container(horizontal=True):
        st.button(label, key=f"{key}_start", type="primary", on_click=_start, args=(key,))
        cancel = st.empty()
    if st.session_state.get(running):
        cancel.button(t("Cancel", "取消"), key=f"{key}_cancel", on_click=_stop, args=(key,))
        _work(key, start, fraction, show, token)
        cancel.empty()
    if st.session_state.get(f"{key}_cut"):
        st.caption(
            t(
                f"Stopped after {SECONDS} s, the limit for one computation; this is what was done.",
                f"单次计算的上限为 {SECONDS} 秒，已停止；下面是到此为止的结果。",
            )
        )
    return st.session_state.get(result, (token, None))[1]


def _work(
    key: str,
    start: Callable[[], Generator[Any, None, Any]],
    fraction: Callable[[Any], float],
    show: Callable[[Any], None] | None,
    token: Any,
) -> None:
    """Take the generator's items for a short while, then let clicks in and go on.

    A click inside a fragment waits until the fragment's run has ended, so one long run could not
    be cancelled.
    """
    under_way = f"{key}_work"
    known, work = st.session_state.get(under_way, (token, None))
    if work is None or known != token:
        _forget(key)
        work = start()
        st.session_state[under_way] = (token, work)
    done = st.session_state.get(f"{key}_done", 0.0)
    bar = st.progress(done, t(f"Working … {done:.0%}", f"计算中…… {done:.0%}"))
    live = st.empty()
    began = time.monotonic()
    try:
        while True:
            with place():
                item = next(work)
            st.session_state[f"{key}_result"] = (token, item)
            done = min(max(fraction(item), 0.0), 1.0)
            st.session_state[f"{key}_done"] = done
            bar.progress(done, t(f"Working … {done:.0%}", f"计算中…… {done:.0%}"))
            if show is not None:
                with live.container():
                    show(item)
            if time.monotonic() >= began + SLICE_SECONDS:
                break
    except StopIteration as finished:
        if finished.value is not None:
            st.session_state[f"{key}_result"] = (token, finished.value)
        _stop(key)
        bar.empty()
        live.empty()
        return
    except Exception:
        _stop(key)
        raise
    spent = st.session_state.get(f"{key}_spent", 0.0) + time.monotonic() - began
    st.session_state[f"{key}_spent"] = spent
    if spent > SECONDS:
        _stop(key)
        st.session_state[f"{key}_cut"] = True
        bar.empty()
        live.empty()
        return
    try:
        st.rerun(scope="fragment")
    except StreamlitAPIException:  # this run is one of the whole page
        st.rerun()


def _start(key: str) -> None:
    _stop(key)
    st.session_state[f"{key}_running"] = True
    st.session_state[f"{key}_spent"] = 0.0
    for name in ("result", "cut"):
        st.session_state.pop(f"{key}_{name}", None)


def _stop(key: str) -> None:
    _forget(key)
    st.session_state[f"{key}_running"] = False


def _forget(key: str) -> None:
    """Close the generator that is under way, if any."""
    _, work = st.session_state.pop(f"{key}_work", (None, None))
    st.session_state.pop(f"{key}_done", None)
    if work is not None:
        work.close()

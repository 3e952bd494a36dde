"""The parts of the page Vectorize: three ways, traps, tracing, Python's if and for."""

import numpy as np
import streamlit as st

from playground.figures import vectorize as figures
from playground.figures.boards import board, number, shape_html
from playground.lessons.hand_traps import TRAPS, TrapResult
from playground.lessons.one_batch import WAYS, WaysResult, arguments_of
from playground.lessons.python_flow import BRANCHES, PythonFlowResult
from playground.lessons.tracing import PROGRAMS, ProgramResult, square
from playground.lessons.vectorize import VectorizeSettings, compute
from playground.ui.controls import Panel
from playground.ui.language import lang, t
from playground.ui.predict import predict_first
from playground.ui.racing import race_here
from playground.ui.show import checks, headline_row, plot, prose, strip
from playground.ui.source import show_source, source_of
from playground.ui.work import compute as computed

ROUNDING = 1e-5


def part_names(part: str) -> str:
    """Write the name of a part in the view's language."""
    return {
        "ways": t("One batch, three ways", "同一批数据，三种写法"),
        "traps": t("Traps by hand", "手写的陷阱"),
        "tracing": t("What tracing sees", "追踪看到什么"),
        "python": t("Python if and for", "Python 的 if 与 for"),
    }[part]


def ways(panel: Panel[VectorizeSettings]) -> VectorizeSettings:
    """The definition on four rows; then loop, formula and vmap at full size, equal and timed."""
    left, middle, right = st.columns([1, 1.6, 1.6], gap="medium")
    with left:
        panel.choose("function", t("Function for one example", "单个样本的函数"), style="select")
        panel.choose("batch_size", t("Batch size", "批大小"))
        panel.choose("length", t("Length of an example", "单个样本的长度"))
        panel.choose("seed", t("Seed", "随机种子"))
    settings = panel.settings()
    result: WaysResult = computed(compute, settings.of_part())  # type: ignore[assignment]
    function, by_loop, by_hand, by_vmap = WAYS[settings.function]
    with middle:
        show_source(function, by_loop)
    with right:
        show_source(by_hand, by_vmap)
    strip(
        [
            (
                t("OUTSIDE: what you pass", "外部：你传入的"),
                "&nbsp; ".join(shape_html(shape, 0) for shape in result.input_shapes),
                f"batch_size = {settings.batch_size}",
            ),
            (
                t("INSIDE: what the function sees", "内部：函数看到的"),
                "&nbsp; ".join(shape_html(shape[1:]) for shape in result.input_shapes)
                + f" → {shape_html(result.output_shape[1:])}",
                t("no batch axis here", "这里没有批次轴"),
            ),
            (t("OUT", "输出"), shape_html(result.output_shape, 0), ""),
        ]
    )
    apart = [float(result.summary[f"{way} against the loop"]) for way in ("by hand", "vmap")]  # type: ignore[arg-type]
    checks(
        [
            (apart[0] < ROUNDING, t(f"by hand = loop, {apart[0]:.1e} apart", f"手写 = 循环，相差 {apart[0]:.1e}")),
            (apart[1] < ROUNDING, t(f"vmap = loop, {apart[1]:.1e} apart", f"vmap = 循环，相差 {apart[1]:.1e}")),
        ]
    )
    prose("vectorize", "ways")
    names = ("loop", "by hand", "vmap")
    methods = dict(zip(names, (by_loop, by_hand, by_vmap), strict=True)) | {"jit(vmap)": by_vmap}
    arguments = arguments_of(
        settings.function, settings.batch_size, settings.length, settings.seed
    )
    race_here("vectorize", settings.of_part(), methods, arguments, compiled=("jit(vmap)",))
    st.subheader(t("The definition", "定义"), anchor=False)
    definition(result)
    return settings


def definition(result: WaysResult) -> None:
    """The stacked loop and vmap side by side on the batch of four rows."""
    prose("vectorize", "definition")
    batch, stacked, mapped = st.columns([1.2, 1.4, 1.4])
    with batch:
        st.caption("xs")
        st.html(board(result.small, axis=0, caption="xs (4, 3)"))
    for column, code, values in (
        (stacked, "jnp.stack([f(x) for x in xs])", result.small_stacked),
        (mapped, "jax.vmap(f)(xs)", result.small_mapped),
    ):
        with column:
            st.code(code, language="python")
            st.html(board(values[:, None], axis=0, caption=code))
    same = bool(np.array_equal(result.small_stacked, result.small_mapped))
    checks([(same, t("the same four numbers", "得到相同的四个数"))])


def traps(panel: Panel[VectorizeSettings]) -> VectorizeSettings:
    """What you meant beside what you got, entries that differ coloured."""
    controls, code = st.columns([1.3, 1.7], gap="medium")
    with controls:
        panel.choose("trap", t("Function", "函数"))
        panel.choose("examples", t("Batch size", "批大小"))
        panel.choose("features", t("Length of an example", "单个样本的长度"))
    settings = panel.settings()
    trap = TRAPS[settings.trap]
    result: TrapResult = computed(compute, settings.of_part())  # type: ignore[assignment]
    with code:
        show_source(trap.function)
        for name, array in zip(trap.arguments.split(", "), result.inputs, strict=True):
            is_shared = name == "W"
            shown = name if is_shared else name.upper()
            st.caption(f"{shown} · {array.shape}" + (t(" · shared", " · 共享") if is_shared else ""))
            axis = None if is_shared else 0
            st.html(board(array, axis=axis, is_shared=is_shared, caption=shown))
    name = trap.function.__name__
    given = trap.arguments.replace("x", "X").replace("y", "Y")
    mapping = ", in_axes=(None, 0)" if "W" in given else ""
    question = t(
        f"Predict first: what does `{name}({given})` give?",
        f"先预测：`{name}({given})` 的结果是什么形状？",
    )
    if not predict_first(
        f"trap_{settings.trap}_{settings.examples}_{settings.features}",
        lambda: trap_predictions(result),
        lambda _: trap.says(lang()),
        question,
    ):
        return settings
    meant, got = st.columns(2, gap="medium", border=True)
    with meant:
        st.markdown(t("**What you meant**", "**你想要的**") + f" · `{result.meant.shape}`")
        st.code(f"jax.vmap({name}{mapping})({given})", language="python", wrap_lines=True)
        st.html(board(_column(result.meant), axis=0, caption=t("meant", "想要的")))
    with got:
        shape = t("refused", "被拒绝") if result.got is None else f"`{result.got.shape}`"
        st.markdown(t("**What you got**", "**你得到的**") + f" · {shape}")
        st.code(f"{name}({given})", language="python", wrap_lines=True)
        if result.got is None or result.differs is None:
            st.error(result.refusal, icon=":material/block:")
        else:
            st.html(
                board(
                    _column(result.got),
                    axis=0 if result.got.ndim else None,
                    differs=_column(result.differs),
                    caption=t("got; differing entries are marked", "得到的；不同之处已标出"),
                )
            )
    trap_verdict(settings, result)
    return settings


def trap_predictions(result: TrapResult) -> tuple[tuple[str, ...], str]:
    """Return the shapes one may expect of the plain call, and what it gives."""
    right = "error" if result.got is None else str(result.got.shape)
    expected = dict.fromkeys((str(result.meant.shape), "()", str(result.inputs[-1].shape), right))
    return (*(shape for shape in expected if shape != "error"), "error"), right


def trap_verdict(settings: VectorizeSettings, result: TrapResult) -> None:
    """Say what went wrong, example by example, and show the batch formula that is right."""
    trap = TRAPS[settings.trap]
    rows = []
    for i in range(result.meant.shape[0]):
        wrong = i in result.wrong_examples
        words = t("differs from what was meant", "与想要的不同") if wrong else t("equal", "相同")
        rows.append((not wrong, t(f"example {i}: {words}", f"样本 {i}：{words}")))
    if settings.trap == "normalize" and result.got is not None:
        lengths = np.linalg.norm(result.got, axis=1)
        rows = [
            (ok, words + t(f", length {number(lengths[i])}", f"，长度 {number(lengths[i])}"))
            for i, (ok, words) in enumerate(rows)
        ]
    left, right = st.columns(2, gap="medium")
    with left:
        checks(rows)
        st.markdown(trap.says(lang()))
    with right:
        st.caption(t("Written by hand, and right:", "正确的手写版本："))
        show_source(trap.by_hand)
        right_one = bool(np.allclose(result.by_hand, result.meant, rtol=1e-5, atol=1e-5))
        checks([(right_one, t("equals vmap", "与 vmap 相同"))])
    prose("vectorize", "traps")


def _column(array: np.ndarray) -> np.ndarray:
    return array[:, None] if array.ndim == 1 else array


def tracing(panel: Panel[VectorizeSettings]) -> VectorizeSettings:
    """The two kinds of print; the program for one example, of vmap and of the loop."""
    left, middle, right = st.columns([1, 1.3, 1.6], gap="medium")
    with left:
        panel.choose("traced", t("Batch size", "批大小"))
        panel.choose("program", t("Function to trace", "要追踪的函数"), style="select")
        panel.choose("looped", t("Show the loop's program", "显示循环的程序"))
    settings = panel.settings()
    result: ProgramResult = computed(compute, settings.of_part())  # type: ignore[assignment]
    with middle:
        show_source(square)
        st.code(f"jax.vmap(square)(jnp.arange(1.0, {settings.traced + 1}))", language="python")
    with right:
        st.caption(t("What it printed", "打印出来的内容"))
        st.code("\n".join(result.lines), language=None, wrap_lines=True)
        kinds = ("lines of print", "lines of jax.debug.print")
        names = ("print", "jax.debug.print")
        headline_row([(n, result.summary[k]) for n, k in zip(names, kinds, strict=True)])
    prose("vectorize", "prints")
    st.subheader(t("The program", "程序"), anchor=False)
    function, in_axes = PROGRAMS[settings.program]
    one, mapped = st.columns(2, gap="medium")
    with one:
        st.caption(t("for one example: ", "单个样本：") + f"`make_jaxpr({function.__name__})`")
        st.code(source_of(function) + "\n\n" + result.one, language=None, wrap_lines=True)
    with mapped:
        axes = f", in_axes={in_axes}" if None in in_axes else ""
        st.caption(t("after vmap: ", "vmap 之后：") + f"`make_jaxpr(vmap({function.__name__}{axes}))`")
        st.code(result.mapped, language=None, wrap_lines=True)
        for setting, before, after in result.changes:
            st.html(
                f'<div class="note">{setting}: <code>{before}</code> → '
                f'<mark class="batch">{after}</mark></div>'
            )
        has_loop = bool(result.summary["vmap's program contains while or scan"])
        checks([(not has_loop, t("no while and no scan in it", "其中没有 while，也没有 scan"))])
    plot(figures.program_sizes(result, lang()), "vectorize_program_sizes")
    if settings.looped:
        st.code(result.looped, language=None, wrap_lines=True)
    prose("vectorize", "programs")
    return settings


def python(panel: Panel[VectorizeSettings]) -> VectorizeSettings:
    """The Python if, refused; its two repairs, run; the static for, unrolled."""

    def start_over() -> None:
        chosen = st.session_state[VectorizeSettings.key("branch")]
        usual = {"relu": "-1, 2, 3", "piecewise": "-2, 3"}[chosen]
        Panel.put(VectorizeSettings, VectorizeSettings(part="python", branch=chosen, values=usual))

    left, right = st.columns([1.2, 1.8], gap="medium")
    with left:
        panel.choose("branch", t("Function", "函数"), on_change=start_over)
        panel.choose("values", t("Batch of numbers", "一批数"), help=t("Up to 12.", "最多 12 个。"))
    settings = panel.settings()
    result: PythonFlowResult = computed(compute, settings.of_part())  # type: ignore[assignment]
    by_if, by_where, by_cond = BRANCHES[settings.branch]
    with left:
        show_source(by_if)
    with right:
        if result.error:
            st.error(f"`jax.vmap({by_if.__name__})(xs)` → **{result.error}**", icon=":material/block:")
            with st.expander(t("JAX said", "JAX 的原话")):
                st.code(result.text, language=None, wrap_lines=True)
        prose("vectorize", "if")
    for column, function, values in zip(
        st.columns(2, gap="medium", border=True),
        (by_where, by_cond),
        (result.by_where, result.by_cond),
        strict=True,
    ):
        with column:
            show_source(function)
            st.html(board(np.stack([result.values, values]), axis=1, caption=function.__name__))
            same = bool(np.allclose(values, result.one_by_one))
            checks([(same, t("equals the Python if, one by one", "与逐个执行的 Python if 相同"))])
    st.subheader(t("What else works, tried now", "还有哪些写法可行（刚刚试过）"), anchor=False)
    lines = [(one.works, f"{one.code}  →  {one.outcome}") for one in result.attempts]
    checks(lines)
    st.subheader(t("A for with a static count is unrolled", "次数固定的 for 会被展开"), anchor=False)
    unrolling(panel, result)
    return panel.settings()


def unrolling(panel: Panel[VectorizeSettings], result: PythonFlowResult) -> None:
    """The slider for the count, the unrolled program, and how programs grow."""
    left, right = st.columns([1, 1.4], gap="medium")
    with left:
        panel.choose("rounds", t("Rounds", "循环次数"))
        settings = panel.settings()
        result = computed(compute, settings.of_part())  # type: ignore[assignment]
        sines = result.summary["sin operations"]
        st.code(result.unrolled, language=None, wrap_lines=True)
        checks([(sines == settings.rounds, t(f"{sines} sin in the program", f"程序中有 {sines} 个 sin"))])
    with right:
        plot(figures.unrolled(result, lang()), "vectorize_unrolled")
    prose("vectorize", "for")


PARTS = {"ways": ways, "traps": traps, "tracing": tracing, "python": python}

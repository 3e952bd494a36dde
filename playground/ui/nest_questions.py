"""What the page Nest asks before it shows a result; every answer comes from the result."""

from collections.abc import Mapping

import numpy as np

from playground.figures.nest import formula_names
from playground.lessons import nest
from playground.lessons.cancellation import Cancellation
from playground.lessons.levels import ByHand
from playground.lessons.matmul import WAYS, ProductWays
from playground.lessons.nest import NestSettings
from playground.lessons.nesting import code_for, predictions
from playground.ui.language import lang, t
from playground.ui.predict import predict_first


def is_revealed(settings: NestSettings) -> bool:
    """Ask which shape comes out when the link says so; tell whether it may be shown."""
    report = nest.report_of(settings)

    def why_not(shape: str) -> str:
        code = code_for(report, shape)
        if not code:
            return t("No nesting gives that shape.", "没有哪种嵌套能得到这个形状。")
        return t(f"That would need `{code}`.", f"要得到它，需要写 `{code}`。")

    key = f"nest_{settings.order}_{settings.rows}_{settings.columns}_{settings.dimension}"
    return predict_first(key, lambda: predictions(report), why_not)


def loses_most(found: Cancellation, offset: int, settings: NestSettings) -> bool:
    """Ask which formula loses most digits at an offset."""
    at = int(np.flatnonzero(found.offsets == offset)[0])
    names = formula_names(lang())
    errors = {name: found.errors[name][at] for name in names if name != "chosen"}
    worst = max(errors, key=lambda name: errors[name])

    def why_not(chosen: str) -> str:
        return t(
            f"Largest relative errors: {names[chosen]} {errors[chosen]:.2g}, "
            f"{names[worst]} {errors[worst]:.2g}.",
            f"最大相对误差：{names[chosen]} {errors[chosen]:.2g}，"
            f"{names[worst]} {errors[worst]:.2g}。",
        )

    return predict_first(
        f"nest_accuracy_{settings.seed}_{settings.dimension}_{offset}",
        lambda: (tuple(errors), worst),
        why_not,
        t(
            f"Predict first: {offset:,} is added to every coordinate. Which formula loses most?",
            f"先预测：每个坐标都加上 {offset:,}，哪种公式的精度损失最大？",
        ),
        names,
    )


def gives_nan(found: Mapping[str, np.ndarray], settings: NestSettings) -> bool:
    """Ask how many formulas have a gradient that is nan somewhere."""
    broken = [name for name, value in found.items() if np.isnan(value).any()]
    listed = t(", ", "、").join(f"“{name}”" for name in broken)
    return predict_first(
        f"nest_gradient_{settings.coincident}",
        lambda: (tuple(map(str, range(len(found) + 1))), str(len(broken))),
        lambda _: t(f"With nan: {listed}.", f"出现 nan 的公式：{listed}。") if broken else "",
        t(
            f"Predict first: how many of {len(found)} formulas for the distance give nan "
            "somewhere in the gradient?",
            f"先预测：{len(found)} 种距离公式中，有几种的梯度会出现 nan？",
        ),
    )


def different_programs(ways: ProductWays) -> bool:
    """Ask how many different compiled programs the ways to write a product are."""
    kinds: list[str] = []
    for name in WAYS:
        if not any(ways.same_program[kind, name] for kind in kinds):
            kinds.append(name)
    return predict_first(
        "nest_matmul",
        lambda: (tuple(str(count + 1) for count in range(len(WAYS))), str(len(kinds))),
        lambda _: t("The compiled programs were compared.", "这里比较的是编译后的程序。"),
        t(
            f"Predict first: {', '.join(f'`{name}`' for name in WAYS)}: how many different "
            "compiled programs?",
            f"先预测：{'、'.join(f'`{name}`' for name in WAYS)} 编译出几个不同的程序？",
        ),
    )


def combined_shape(found: ByHand) -> bool:
    """Ask for the shape that two levels give."""
    n, k, out = found.combined.shape
    shapes = ((n, k, out), (k, n, out), (n, out, k), found.paired.shape)
    call = "vmap(vmap(matvec, (None, 0)), (0, None))(A, v)"
    return predict_first(
        "nest_hand",
        lambda: (tuple(sorted(map(str, shapes))), str(found.combined.shape)),
        lambda _: t(
            "The axis of the outer level comes first, then that of the inner one.",
            "外层的轴在最前，内层的轴随后。",
        ),
        t(
            f"Predict first: A is ({n}, {out}, 3), v is ({k}, 3). Which shape does `{call}` have?",
            f"先预测：A 的形状为 ({n}, {out}, 3)，v 为 ({k}, 3)。`{call}` 的形状是什么？",
        ),
    )

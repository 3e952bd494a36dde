"""Figures of the page Gradients: norms with the wrong labels marked, clipping, rows of a batch."""

import numpy as np
import plotly.graph_objects as go

from playground.figures.drawing import Drawing, styled
from playground.figures.palette import ACCENT, BAD, FOUND, GOOD, SECOND, SHARED
from playground.foundation.language import Language, pick
from playground.lessons.batch_statistics import BatchStatisticsResult
from playground.lessons.first_gradients import FivePoints
from playground.lessons.gradient_study import GradientsResult

BINS = 40


def norm_strip(result: GradientsResult, clip_norm: float, language: Language) -> Drawing:
    """Draw the gradient norm of every example; wrong labels are orange, suspects are ringed.

    Args:
        result: of `study_gradients`.
        clip_norm: C, drawn as a dotted line.
        language: of titles and alternative text.
    """
    index, found = np.arange(len(result.norms)), result.findings
    suspected = np.isin(index, found.suspects)
    marks = (
        (pick(language, "right label", "标签正确"), ~result.planted & ~suspected, ACCENT, "circle"),
        (
            pick(language, "right label, suspected", "标签正确但被怀疑"),
            ~result.planted & suspected,
            SECOND,
            "circle-open-dot",
        ),
        (
            pick(language, "wrong label, found", "标错且被找出"),
            result.planted & suspected,
            FOUND,
            "diamond-dot",
        ),
        (
            pick(language, "wrong label, missed", "标错但漏掉"),
            result.planted & ~suspected,
            BAD,
            "x",
        ),
    )
    figure = go.Figure()
    for name, mask, colour, symbol in marks:
        if mask.any():
            figure.add_scatter(
                x=index[mask],
                y=np.maximum(result.norms[mask], 1e-6),
                customdata=np.stack([result.labels[mask], result.predictions[mask]], axis=-1),
                mode="markers",
                name=f"{name} ({mask.sum()})",
                marker={
                    "color": colour,
                    "symbol": symbol,
                    "size": 6 if colour == ACCENT else 11,
                    "line": {"color": colour, "width": 0 if colour == ACCENT else 2},
                },
                hovertemplate=pick(
                    language,
                    "example %{x}: norm %{y:.4g}<br>label %{customdata[0]:.3g}, "
                    "prediction %{customdata[1]:.3g}",
                    "样本 %{x}：范数 %{y:.4g}<br>标签 %{customdata[0]:.3g}，"
                    "预测 %{customdata[1]:.3g}",
                ),
            )
    for height, name, dash in (
        (found.threshold, pick(language, "threshold", "阈值"), "dash"),
        (clip_norm, "C", "dot"),
    ):
        if np.isfinite(height) and height > 0:
            figure.add_scatter(
                x=[0, len(index) - 1],
                y=[height, height],
                mode="lines",
                name=f"{name} = {height:.3g}",
                line={"color": SHARED, "dash": dash, "width": 2},
                hoverinfo="skip",
            )
    styled(
        figure,
        x=pick(language, "example (index in the batch)", "样本（批内序号）"),
        y=pick(language, "gradient norm (log)", "梯度范数（对数）"),
        height=430,
    )
    figure.update_yaxes(type="log", dtick=1, exponentformat="power")
    alt = pick(
        language,
        f"Gradient norms of {len(index)} examples. {found.planted} labels are wrong; "
        f"{found.found} of them are among the {len(found.suspects)} examples above the "
        f"threshold {found.threshold:.3g}.",
        f"{len(index)} 个样本的梯度范数。其中 {found.planted} 个标签是错的；超过阈值 "
        f"{found.threshold:.3g} 的样本有 {len(found.suspects)} 个，其中 {found.found} 个确实标错。",
    )
    table = {
        "index": index,
        **{f"x{k}": column for k, column in enumerate(result.features.T)},
        "label": result.labels,
        "right_label": result.clean,
        "prediction": result.predictions,
        "norm": result.norms,
        "norm_clipped": result.clipped_norms,
        "planted": result.planted,
        "suspected": suspected,
    }
    return Drawing(figure, alt, table)


def clipping_histogram(result: GradientsResult, clip_norm: float, language: Language) -> Drawing:
    """Draw the norms before clipping over those after it, with C as the wall they pile up at.

    Args:
        result: of `study_gradients`.
        clip_norm: C.
        language: of titles and alternative text.
    """
    top = max(float(np.quantile(result.norms, 0.98)), 1.2 * min(clip_norm, result.norms.max()))
    edges = np.linspace(0.0, top if top > 0 else 1.0, BINS + 1)
    before, after = (
        np.histogram(np.minimum(norms, edges[-1]), edges)[0]
        for norms in (result.norms, result.clipped_norms)
    )
    middles, beyond = (edges[:-1] + edges[1:]) / 2, int(np.sum(result.norms > edges[-1]))
    figure = go.Figure()
    for name, counts, colour, opacity in (
        (pick(language, "before clipping", "裁剪前"), before, SHARED, 0.75),
        (pick(language, "after clipping", "裁剪后"), after, ACCENT, 0.65),
    ):
        figure.add_bar(
            x=middles,
            y=counts,
            name=name,
            marker={"color": colour},
            opacity=opacity,
            width=edges[1],
        )
    if 0 < clip_norm <= edges[-1]:
        figure.add_vline(
            x=clip_norm,
            line={"color": FOUND, "width": 2},
            annotation={"text": f" C = {clip_norm:g}", "xanchor": "left", "y": 1.08},
        )
    figure.update_layout(barmode="overlay")
    styled(
        figure,
        x=pick(language, "gradient norm", "梯度范数"),
        y=pick(language, "examples (count)", "样本数（个）"),
        height=320,
    )
    share = result.clipped_share
    return Drawing(
        figure,
        pick(
            language,
            f"Histogram of gradient norms before and after clipping to C = {clip_norm:g}: "
            f"{share:.1%} of the examples are clipped and pile up at C.",
            f"裁剪到 C = {clip_norm:g} 前后的梯度范数直方图：{share:.1%} 的样本被裁剪，"
            "堆积在 C 处。",
        ),
        {"norm_from": edges[:-1], "norm_to": edges[1:], "before": before, "after": after},
        note=pick(
            language,
            f"The last bar holds {beyond} examples with a norm beyond {edges[-1]:.3g} as well.",
            f"最后一根柱还包含范数超过 {edges[-1]:.3g} 的 {beyond} 个样本。",
        )
        if beyond
        else "",
    )


def five_point_bars(points: FivePoints, language: Language) -> Drawing:
    """Draw the two gradients of each of five points, and their means as lines.

    Args:
        points: of `five_points`.
        language: of titles and alternative text.
    """
    figure = go.Figure()
    for name, values, mean, colour in (
        ("∂/∂w", points.dw, points.mean[0], ACCENT),
        ("∂/∂b", points.db, points.mean[1], SECOND),
    ):
        figure.add_bar(x=np.arange(5), y=values, name=name, marker={"color": colour})
        figure.add_hline(
            y=mean,
            line={"color": colour, "dash": "dash", "width": 1.5},
            annotation={"text": pick(language, f"mean {mean:g}", f"均值 {mean:g}")},
        )
    styled(
        figure,
        x=pick(language, "example i", "样本 i"),
        y=pick(language, "gradient of its own loss", "自身损失的梯度"),
        height=280,
    )
    return Drawing(
        figure,
        pick(
            language,
            f"Gradients of five points: dw = {points.dw.tolist()}, db = {points.db.tolist()}; "
            f"their means are {points.mean}.",
            f"五个点的梯度：dw = {points.dw.tolist()}，db = {points.db.tolist()}；"
            f"均值为 {points.mean}。",
        ),
        {"x": points.x, "y": points.y, "dw": points.dw, "db": points.db},
    )


def batch_rows(result: BatchStatisticsResult, language: Language) -> Drawing:
    """Draw the norms of three kinds of rows under batch normalisation, side by side.

    Args:
        result: of `study_batch_statistics`.
        language: of titles and alternative text.
    """
    names = {
        "own_loss": (
            pick(language, "gradient of its own loss (jacrev)", "自身损失的梯度（jacrev）"),
            GOOD,
        ),
        "vmap_grad": (pick(language, "row of vmap(grad)", "vmap(grad) 的行"), FOUND),
        "alone": (pick(language, "normalised by itself", "单独归一化"), SHARED),
    }
    examples = np.arange(len(result.norms["own_loss"]))
    figure = go.Figure()
    for key, (name, colour) in names.items():
        figure.add_bar(x=examples, y=result.norms[key], name=name, marker={"color": colour})
    styled(
        figure,
        x=pick(language, "example i", "样本 i"),
        y=pick(language, "norm of the row", "该行的范数"),
        height=320,
    )
    return Drawing(
        figure,
        pick(
            language,
            f"Norms of {len(examples)} rows under batch normalisation. Rows of vmap(grad) differ "
            f"from the right ones by up to {result.row_error:.2g} times their norm; the sums "
            f"agree to {result.sum_error:.1g}.",
            f"批归一化下 {len(examples)} 行梯度的范数。vmap(grad) 的行与正确的行最多相差其范数的 "
            f"{result.row_error:.2g} 倍，而两者之和的相对误差只有 {result.sum_error:.1g}。",
        ),
        {"example": examples, **result.norms},
    )

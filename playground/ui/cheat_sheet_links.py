"""Where each row of the cheat sheet leads: a page, and the settings that show its idea there."""

from typing import Any

from playground.foundation.settings import Settings
from playground.lessons.axes_call import AxesSettings
from playground.lessons.compose import ComposeSettings
from playground.lessons.control_flow import ControlFlowSettings
from playground.lessons.gradients import GradientsSettings
from playground.lessons.home import HomeSettings
from playground.lessons.nest import NestSettings
from playground.lessons.training import TrainingSettings
from playground.lessons.vectorize import VectorizeSettings
from playground.lessons.walk_settings import WalkSettings
from playground.measure.chunks import ChunksSettings
from playground.measure.timing import TimingSettings
from playground.practice.errors import ErrorsSettings

PAGE_OF: dict[type[Settings], str] = {
    AxesSettings: "axes",
    ChunksSettings: "chunks",
    ComposeSettings: "compose",
    ControlFlowSettings: "control_flow",
    ErrorsSettings: "errors",
    GradientsSettings: "gradients",
    HomeSettings: "home",
    NestSettings: "nest",
    TimingSettings: "timing",
    TrainingSettings: "training",
    VectorizeSettings: "vectorize",
    WalkSettings: "walks",
}


def at[S: Settings](kind: type[S], /, **values: Any) -> S:
    """Return settings, and refuse what the page would not take as it stands.

    Raises:
        ValueError: a value would be moved to a legal one, so the link would open another state.
    """
    settings = kind(**values)
    moved = [name for name, value in values.items() if getattr(settings, name) != value]
    if moved:
        raise ValueError(f"{kind.__name__} moves {', '.join(moved)} of a link of the cheat sheet")
    return settings


SEEN = 9  # the number of a guess that shows an exhibit without guessing
DOT_TRAP = at(VectorizeSettings, part="traps", trap="dot")
TRANSPOSE_TRAP = at(VectorizeSettings, part="traps", trap="transpose")
PYTHON = at(VectorizeSettings, part="python")
TRACING = at(VectorizeSettings, part="tracing")
PIECEWISE = at(VectorizeSettings, part="python", branch="piecewise", values="-2, 3")
DISTANCES = at(NestSettings, rows=3, columns=8, dimension=2, metric="squared")
EDGES = at(ControlFlowSettings, part="edges")
LANES = at(ControlFlowSettings, part="lanes")
STEPS = at(ControlFlowSettings, part="steps")
SHARED_PREDICATE = at(ControlFlowSettings, program="shared")
NEWTON = at(ComposeSettings, part="newton")
NEWTON_WELL = at(ComposeSettings, part="newton", problem="well")
CALLS = at(ComposeSettings, part="calls")
JACOBIANS = at(ComposeSettings, part="shapes")
TRAINING = at(ComposeSettings, part="train")
REUSED = at(WalkSettings, reuse_seed=42, draws=1000)
ORDER = at(TimingSettings, part="order")
RECOMPILE = at(TimingSettings, part="recompile")
CONSTANTS = at(TimingSettings, part="constants")


def exhibit(name: str) -> ErrorsSettings:
    """Return the state of the error museum that shows an exhibit with its answer."""
    return at(ErrorsSettings, exhibit=name, guess=SEEN)


def axes(function: str, **call: Any) -> AxesSettings:
    """Return the state of the page Axes that shows a call of one of its functions."""
    return at(AxesSettings, function=function, **call)


COLUMNS = axes("scale_column", shapes="((3, 4), (4,))")

USUAL: dict[str, Settings] = {
    "vectorize": VectorizeSettings(),
    "axes": axes("add_scalar"),
    "nest": at(NestSettings, rows=3, columns=8, dimension=3, metric="dot"),
    "control_flow": ControlFlowSettings(),
    "compose": ComposeSettings(),
    "gradients": GradientsSettings(),
    "random": WalkSettings(),
    "timing": TimingSettings(),
    "chunks": ChunksSettings(),
}
"""By topic: where its rows lead that are not in `LINKS`."""

LINKS: dict[str, Settings] = {
    "vectorize.vmap": HomeSettings(),
    "vectorize.meaning": at(VectorizeSettings, function="sum_of_squares"),
    "vectorize.shapes": axes("linear_layer"),
    "vectorize.norm_trap": at(VectorizeSettings, part="traps"),
    "vectorize.norm": at(VectorizeSettings, part="traps"),
    "vectorize.sum_trap": at(VectorizeSettings, part="traps", trap="total"),
    "vectorize.sum": at(VectorizeSettings, part="traps", trap="total"),
    "vectorize.dot_trap": DOT_TRAP,
    "vectorize.dot": DOT_TRAP,
    "vectorize.transpose_trap": TRANSPOSE_TRAP,
    "vectorize.transpose": TRANSPOSE_TRAP,
    "vectorize.print": TRACING,
    "vectorize.debug_print": TRACING,
    "vectorize.jaxpr": TRACING,
    "vectorize.batch_dimensions": at(VectorizeSettings, part="tracing", program="dot"),
    "vectorize.python_if": PYTHON,
    "vectorize.where": PYTHON,
    "vectorize.piecewise": PIECEWISE,
    "vectorize.unrolled": PYTHON,
    "axes.pair": axes("add_scalar", shapes="((4, 3), (4,))", in_axes="(0, 0)"),
    "axes.later_axis": axes("add_scalar", shapes="((3, 4), ())", in_axes="(1, None)"),
    "axes.out_axes": axes("add_scalar", out_axes="1"),
    "axes.out_tree": axes("dict_outputs"),
    "axes.negative": axes("matvec"),
    "axes.prefix": axes("dict_parameters"),
    "axes.wrong_key": axes("dict_parameters", in_axes="({'w': None, 'bias': 0}, 0)"),
    "axes.keyword": exhibit("keyword_is_mapped"),
    "axes.keyword_tuple": exhibit("counted_keywords"),
    "axes.partial": exhibit("keyword_is_mapped"),
    "axes.out_none_refused": exhibit("output_shared"),
    "axes.out_none": axes("kept_factor"),
    "axes.nothing_mapped": exhibit("nothing_mapped"),
    "axes.axis_size": axes("add_scalar", in_axes="(None, None)", axis_size=4),
    "axes.sum_match": axes("add_scalar", out_axes="None", sum_match=True),
    "axes.shared_number": exhibit("shared_number"),
    "axes.sizes": axes("row_filter", in_axes="(0, 0)"),
    "axes.no_broadcast": axes("row_filter", shapes="((3, 2), (1, 2))", in_axes="(0, 0)"),
    "axes.tuple_length": axes("row_filter", in_axes="(0,)"),
    "axes.beyond": exhibit("axis_too_far"),
    "axes.columns": COLUMNS,
    "axes.columns_kept": AxesSettings(
        function="scale_column", shapes="((3, 4), (4,))", out_axes="1"
    ),
    "axes.row_filter": axes("row_filter"),
    "axes.pmean": axes("centre"),
    "axes.axis_index": axes("centre"),
    "axes.vectorize": at(AxesSettings, leading="3, 4"),
    "axes.list": axes("add_scalar", in_axes="[0, None]"),
    "nest.swapped": at(NestSettings, rows=3, columns=8, metric="dot", order="columns"),
    "nest.squared": DISTANCES,
    "nest.gradient": at(NestSettings, metric="squared", dimension=2, section="gradient"),
    "nest.manhattan": at(NestSettings, metric="manhattan"),
    "nest.expansion": at(NestSettings, offset=1),
    "nest.cancels": at(NestSettings, offset=10_000),
    "nest.coincident": at(NestSettings, section="gradient", coincident=1),
    "nest.double_where": at(NestSettings, section="gradient", coincident=1),
    "nest.matmul": at(NestSettings, section="matmul"),
    "control_flow.shared": SHARED_PREDICATE,
    "control_flow.switch": at(ControlFlowSettings, positive=5),
    "control_flow.grad_cond": EDGES,
    "control_flow.grad_where": EDGES,
    "control_flow.grad_double_where": EDGES,
    "control_flow.copied": AxesSettings(function="gate", shapes="((512,), (512, 256), (256, 256))"),
    "control_flow.while": LANES,
    "control_flow.lowered": LANES,
    "control_flow.endless": at(ControlFlowSettings, part="endless"),
    "control_flow.fori": STEPS,
    "control_flow.scan": STEPS,
    "control_flow.vmap_scan": STEPS,
    "compose.illegal": at(ComposeSettings, chain="vmap, jit, grad"),
    "compose.step": TRAINING,
    "compose.tree_map": CALLS,
    "compose.loss_falls": TRAINING,
    "compose.hessian": at(ComposeSettings, function="bowl", chain="hessian"),
    "compose.newton": NEWTON_WELL,
    "compose.rank": NEWTON,
    "compose.lstsq": NEWTON,
    "compose.integers": exhibit("whole_numbers"),
    "compose.floats": exhibit("whole_numbers"),
    "compose.argnums": CALLS,
    "compose.value_and_grad": at(ComposeSettings, chain="value_and_grad, vmap, jit"),
    "compose.nested": at(ComposeSettings, function="wave", chain="grad, vmap, vmap"),
    "compose.jacobians": JACOBIANS,
    "compose.hvp": at(ComposeSettings, function="bowl", chain="hessian, vmap"),
    "gradients.grad_of_vmap": exhibit("grad_of_batch"),
    "gradients.outlier": at(GradientsSettings, errors=1),
    "gradients.clip": at(TrainingSettings, sigma=0.0),
    "gradients.noise": TrainingSettings(),
    "gradients.numbers": at(ChunksSettings, own_batch=256, own_parameters=321),
    "gradients.bytes": at(ChunksSettings, own_batch=32, own_parameters=10**8),
    "gradients.chunks": at(ChunksSettings, workload="gradients", batch_size=1024),
    "gradients.train": at(TrainingSettings, sigma=0.0),
    "gradients.per_example": at(GradientsSettings, model="linear"),
    "gradients.element": at(ComposeSettings, function="wave", chain="grad, vmap, jit"),
    "random.key": REUSED,
    "random.raw": REUSED,
    "random.shared": at(WalkSettings, keys="shared"),
    "random.one_key": exhibit("one_key"),
    "random.fold_in": at(WalkSettings, keys="fold_in"),
    "random.reused": REUSED,
    "random.reuse_repaired": REUSED,
    "random.wrong_axis": REUSED,
    "random.raw_axis": at(WalkSettings, keys="raw"),
    "random.biased": at(WalkSettings, kind="biased", up=0.6),
    "timing.block": at(TimingSettings, part="lies"),
    "timing.ahead": at(TimingSettings, part="lies"),
    "timing.vmap_jit": ORDER,
    "timing.grad_jit": ORDER,
    "timing.same_program": at(TimingSettings, workload="add"),
    "timing.other_program": at(TimingSettings, workload="matmul"),
    "timing.allclose": at(TimingSettings, workload="matmul"),
    "timing.new_shape": RECOMPILE,
    "timing.static": RECOMPILE,
    "timing.closed_over": CONSTANTS,
    "timing.argument": CONSTANTS,
    "chunks.single": at(ChunksSettings, chunk_size=1),
    "chunks.chunked": at(ChunksSettings, chunk_size=256),
    "chunks.rest": at(ChunksSettings, batch_size=100, chunk_size=64),
    "chunks.outputs": at(ChunksSettings, workload="outer"),
    "chunks.sum_inside": at(ChunksSettings, reduce="sum"),
}
"""By topic and row: the state that shows the row's idea."""


def destination(topic: str, name: str) -> tuple[str, Settings]:
    """Return the page and the settings that a row leads to."""
    settings = LINKS.get(f"{topic}.{name}", USUAL[topic])
    return PAGE_OF[type(settings)], settings

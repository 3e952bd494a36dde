"""The steps of the workshop: which page, in which state, for how long."""

from types import ModuleType

from playground.lessons import axes, control_flow, gradients, home, nest, vectorize, walks
from playground.lessons.axes_call import AxesSettings
from playground.lessons.control_flow import ControlFlowSettings
from playground.lessons.gradients import GradientsSettings
from playground.lessons.home import HomeSettings
from playground.lessons.nest import NestSettings
from playground.lessons.vectorize import VectorizeSettings
from playground.lessons.walk_settings import WalkSettings
from playground.measure import chunks
from playground.measure.chunks import ChunksSettings
from playground.practice import errors, quiz
from playground.practice.errors import ErrorsSettings
from playground.practice.plan import Step
from playground.practice.quiz import QuizSettings

PREDICT = {"predict": "true"}

STEPS = (
    Step("picture", ("One picture", "一张图"), (6, 6), "home", HomeSettings(example=2)),
    Step(
        "trap",
        ("A batch that means something else", "批量化之后意思变了"),
        (8, 8),
        "vectorize",
        VectorizeSettings(part="traps", trap="normalize"),
        PREDICT,
    ),
    Step(
        "columns",
        ("Columns in, rows out", "传入列，返回行"),
        (12, 12),
        "axes",
        AxesSettings(function="scale_column"),
        {**PREDICT, "hide": "function"},
    ),
    Step(
        "refusal",
        ("Reading an error", "读懂报错"),
        (8, 10),
        "errors",
        ErrorsSettings(exhibit="columns_as_rows"),
        {"hide": "exhibit"},
    ),
    Step(
        "pairs",
        ("Every pair of points", "每一对点"),
        (10, 10),
        "nest",
        NestSettings(rows=5, columns=7, dimension=3),
        PREDICT,
    ),
    Step(
        "branches",
        ("What a condition costs", "条件的代价"),
        (0, 10),
        "control_flow",
        ControlFlowSettings(part="branches", positive=3),
        PREDICT,
    ),
    Step(
        "gradients",
        ("One gradient for each example", "每个样本一个梯度"),
        (8, 10),
        "gradients",
        GradientsSettings(errors=5, shift=20.0),
        PREDICT,
    ),
    Step(
        "randomness",
        ("One key for each walker", "每个游走者一个 key"),
        (0, 8),
        "walks",
        WalkSettings(walkers=1000, steps=100),
        PREDICT,
    ),
    Step(
        "memory",
        ("When it does not fit", "内存放不下的时候"),
        (0, 8),
        "chunks",
        ChunksSettings(chunk_size=256),
    ),
    Step(
        "ticket",
        ("Exit quiz", "课末测验"),
        (8, 8),
        "quiz",
        QuizSettings(seed=1),
        {"answers": "off", "hide": "seed"},
    ),
)

MODULES: dict[str, ModuleType] = {
    "home": home,
    "vectorize": vectorize,
    "axes": axes,
    "errors": errors,
    "nest": nest,
    "control_flow": control_flow,
    "gradients": gradients,
    "walks": walks,
    "chunks": chunks,
    "quiz": quiz,
}
"""The pure part of each page, whose headline numbers stand beside the answers."""

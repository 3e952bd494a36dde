"""The page Compose: orders of transformations, training, Newton's method, calls, compilations.

The settings name a part of the page; what each part computes is in a module of its own.
"""

import ast
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

from playground.foundation.script import show_headlines, standalone
from playground.foundation.settings import Settings, number, one_of, text, whole
from playground.lessons.call_forms import (
    INTEGER_CALLS,
    JACOBIAN_CALLS,
    LEADING,
    PARAMETER_CALLS,
    TREE_CALLS,
    CallsResult,
    JacobianResult,
    call_headlines,
    jacobian_headlines,
    run_calls,
    run_jacobians,
)
from playground.lessons.chains import FUNCTIONS, read_chain
from playground.lessons.compiling import CompileResult, compile_headlines, run_compiling
from playground.lessons.newton import PROBLEMS, NewtonResult, newton_headlines, run_newton
from playground.lessons.orders import ChainResult, chain_headlines, run_chain
from playground.lessons.regression_mlp import EXAMPLES, Training, train, training_headlines

OF_PART = {
    "order": ("function", "chain"),
    "train": ("width", "rate", "steps", "seed"),
    "newton": ("problem", "closeness"),
    "calls": (),
    "compile": ("rounds",),
    "shapes": ("leading",),
}
"""Which settings each part depends on."""


@dataclass(frozen=True)
class ComposeSettings(Settings, prefix="compose"):
    """What the page shows.

    Attributes:
        part: which part is open.
        function: the function that is transformed.
        chain: transformations in the order of application, separated by commas.
        width: hidden units of the network.
        rate: learning rate.
        steps: training steps of the first view; the live training takes ten times as many.
        seed: of data and first parameters.
        problem: least-squares problem for Newton's method.
        closeness: of "close": two columns differ by 10**-closeness.
        rounds: of the loop that compiles.
        leading: leading dimensions for jnp.vectorize.
    """

    part: str = one_of("order", tuple(OF_PART))
    function: str = one_of("loss", tuple(FUNCTIONS))
    chain: str = text("grad, vmap, jit", longest=80)
    width: int = one_of(16, (4, 16, 64))
    rate: float = number(0.05, low=0.005, high=0.3)
    steps: int = one_of(200, (60, 200, 400))
    seed: int = whole(0, low=0, high=99)
    problem: str = one_of("deficient", PROBLEMS)
    closeness: int = whole(2, low=0, high=5)
    rounds: int = one_of(5, (1, 2, 5, 10))
    leading: str = one_of("(3, 4)", LEADING)

    def of_part(self) -> "ComposeSettings":
        """Return these settings with all that the open part does not use at its default."""
        used = {"part", *OF_PART[self.part]}
        rest = {item.name: item.default for item in fields(self) if item.name not in used}
        return replace(self, **rest)


type PartResult = (
    ChainResult | Training | NewtonResult | CallsResult | CompileResult | JacobianResult
)


def compute(settings: ComposeSettings) -> PartResult:
    """Compute the open part."""
    return _PARTS[settings.part][0](settings)


def order(settings: ComposeSettings) -> ChainResult:
    """Compute the part about orders."""
    return run_chain(settings.function, read_chain(settings.chain))


def training(settings: ComposeSettings) -> Training:
    """Train as many steps as the first view shows."""
    *_, last = train(settings.width, settings.rate, settings.steps, settings.seed)
    return last


def newton(settings: ComposeSettings) -> NewtonResult:
    """Compute the part about Newton's method."""
    return run_newton(settings.problem, settings.closeness)


def calls(settings: ComposeSettings) -> CallsResult:
    """Compute the part with calls of grad."""
    del settings
    return run_calls()


def compiling(settings: ComposeSettings) -> CompileResult:
    """Compute the part about compilations."""
    return run_compiling(settings.rounds)


def jacobians(settings: ComposeSettings) -> JacobianResult:
    """Compute the part about batched Jacobians."""
    return run_jacobians(ast.literal_eval(settings.leading))


def headlines(result: PartResult) -> dict[str, Any]:
    """Return the numbers that the page and its script both show."""
    return dict(result.summary)


def script(settings: ComposeSettings) -> str:
    """Return the standalone script of the open part."""
    functions, body = _PARTS[settings.part][1](settings)
    title = "Composing transformations of JAX."
    return standalone(*functions, show_headlines, body=body, title=title)


def _order_script(settings: ComposeSettings) -> tuple[tuple, str]:
    function, shapes, in_axes = FUNCTIONS[settings.function]
    chain = read_chain(settings.chain)
    given = f"{function.__name__}, {chain!r}, {shapes!r}, {in_axes!r}"
    return (function, chain_headlines), f"show_headlines(chain_headlines({given}))"


def _train_script(settings: ComposeSettings) -> tuple[tuple, str]:
    given = f"{settings.width}, {settings.rate}, {settings.steps}, {EXAMPLES}, {settings.seed}"
    return (training_headlines,), f"show_headlines(training_headlines({given}))"


def _newton_script(settings: ComposeSettings) -> tuple[tuple, str]:
    given = f"{settings.problem!r}, {settings.closeness}"
    return (newton_headlines,), f"show_headlines(newton_headlines({given}))"


def _calls_script(settings: ComposeSettings) -> tuple[tuple, str]:
    del settings
    codes = (*PARAMETER_CALLS, *INTEGER_CALLS, *TREE_CALLS)
    lines = "".join(f"        {code!r},\n" for code in codes)
    return (
        call_headlines,
    ), f"    codes = (\n{lines}    )\n    show_headlines(call_headlines(codes))"


def _compile_script(settings: ComposeSettings) -> tuple[tuple, str]:
    return (compile_headlines,), f"show_headlines(compile_headlines({settings.rounds}))"


def _jacobian_script(settings: ComposeSettings) -> tuple[tuple, str]:
    lines = "".join(f"        {code!r},\n" for code in JACOBIAN_CALLS)
    last = f"    show_headlines(jacobian_headlines(codes, {settings.leading}))"
    return (jacobian_headlines,), f"    codes = (\n{lines}    )\n{last}"


_PARTS: dict[str, tuple[Callable[[Any], PartResult], Callable[[Any], tuple[tuple, str]]]] = {
    "order": (order, _order_script),
    "train": (training, _train_script),
    "newton": (newton, _newton_script),
    "calls": (calls, _calls_script),
    "compile": (compiling, _compile_script),
    "shapes": (jacobians, _jacobian_script),
}

"""From a call to a question: options that differ, one of them right, judged by the engine."""

from dataclasses import dataclass, replace

import jax
import numpy as np

from playground.axes import Report
from playground.axes.code import vmapped
from playground.practice.drill_calls import Call, Generator, broken, draw, pick, struct
from playground.practice.outcomes import NAMES, outcome_of, shapes

FEWEST, MOST = 3, 5
KINDS_OF_LEVEL = {
    1: ("scalar_mapped", "sizes_differ", "nothing_mapped", "wrong_tuple_length"),
    2: ("axis_out_of_range", "sizes_differ", "out_axis_out_of_range", "wrong_tuple_length"),
    3: (
        "in_axes_not_a_prefix",
        "keyword_arguments",
        "output_varies",
        "scalar_mapped",
        "sizes_differ",
    ),
    4: ("sizes_differ", "axis_out_of_range", "grad_needs_scalar", "out_axis_out_of_range"),
}


@dataclass(frozen=True)
class Question:
    """One question of the drill.

    Attributes:
        form: "outcome" (what happens?) or "axes" (which call gives the wanted shape?).
        call: the call asked about; for "axes" the one that is right.
        want: the wanted shape for "axes", else "".
        options: outcomes, or calls as code.
        right: index of the right option.
        calls: for "axes" the calls behind the options, else empty.
    """

    form: str
    call: Call
    want: str
    options: tuple[str, ...]
    right: int
    calls: tuple[Call, ...] = ()


def question(seed: int, level: int, number: int) -> Question:
    """Make a question; the same three numbers always make the same one.

    Args:
        seed: 0 or more.
        level: 1 to 4.
        number: 1 or more.
    """
    rng = np.random.default_rng([level, seed, number])
    for _ in range(50):
        call = draw(rng, level)
        form = pick(rng, ("shape", "axes", "why"))
        made = {"shape": _outcome, "axes": _axes, "why": _why}[form](rng, call, level)
        if made is not None:
            return made
    raise RuntimeError(f"no question for seed {seed}, level {level}, number {number}")


def _why(rng: Generator, call: Call, level: int) -> Question | None:
    return _outcome(rng, broken(rng, call), level, call.report())


def _outcome(
    rng: Generator, call: Call, level: int, unbroken: Report | None = None
) -> Question | None:
    """Ask what happens."""
    report = call.report()
    right = outcome_of(report)
    if report.error is not None and right not in NAMES:
        return None
    expected = _mistaken_shapes(report) + ([] if unbroken is None else _mistaken_shapes(unbroken))
    plausible = [one for one in dict.fromkeys(expected) if one != right]
    kinds = [kind for kind in KINDS_OF_LEVEL[level] if kind != right]
    few = 3 if report.ok else 2
    wrong = [*rng.permutation(plausible)[:few], *rng.permutation(kinds)[: MOST - 1 - few]]
    options = sorted({right, *map(str, wrong)}, key=lambda one: (one in NAMES, one))
    if len(options) < FEWEST:
        return None
    return Question("outcome", call, "", tuple(options), options.index(right))


def _mistaken_shapes(report: Report) -> list[str]:
    """Name shapes that somebody might expect: other places of the batch axes, or none of them."""
    seen = report.levels[0].outputs
    sizes = tuple(one.batch_size for one in report.levels if one.batch_size is not None)
    if seen is None or not sizes:
        return []
    named = []
    for batch in {sizes, sizes[::-1], sizes[:1], sizes[-1:], ()}:
        for before in (True, False):
            # The level that is written first is the inner one; its axis comes last.
            placed = jax.tree.map(lambda leaf, b=batch, f=before: _placed(leaf, b, f), seen)
            named.append(shapes(placed))
    if report.ok:
        named.append(shapes(report.output))
        named += [shapes(leaf) for leaf in jax.tree.leaves(report.args)]
    return named


def _placed(leaf: jax.ShapeDtypeStruct, batch: tuple[int, ...], is_before: bool) -> object:
    shape = tuple(leaf.shape)
    return struct((*batch[::-1], *shape) if is_before else (*shape, *batch))


def _axes(rng: Generator, call: Call, level: int) -> Question | None:
    """Ask which call gives a shape; every option was judged."""
    report = call.report()
    if not report.ok:
        return None
    want = shapes(report.output)
    found = {_code(call): (call, True)}
    for _ in range(16):
        other = _other_axes(rng, call)
        code = _code(other)
        if code not in found:
            judged = other.report()
            if not judged.ok or shapes(judged.output) != want:
                found[code] = (other, False)
        if len(found) == 4:
            break
    if len(found) < FEWEST:
        return None
    options = sorted(found)
    right = next(i for i, code in enumerate(options) if found[code][1])
    calls = tuple(found[code][0] for code in options)
    return Question("axes", call, want, tuple(options), right, calls)


def _code(call: Call) -> str:
    return vmapped(call.function.__name__, call.levels)


def _other_axes(rng: Generator, call: Call) -> Call:
    place = int(rng.integers(len(call.levels)))
    level = call.levels[place]
    new = replace(level, **{pick(rng, ("in_axes", "in_axes", "out_axes")): None})
    if new.in_axes is None:
        new = replace(level, in_axes=_redrawn(rng, level.in_axes))
    elif isinstance(level.out_axes, int):
        new = replace(level, out_axes=pick(rng, (0, 1, -1)))
    else:
        new = replace(level, out_axes=_redrawn(rng, level.out_axes))
    if len(call.levels) == 2 and rng.random() < 0.3:
        return replace(call, levels=call.levels[::-1])
    return replace(call, levels=(*call.levels[:place], new, *call.levels[place + 1 :]))


def _redrawn(rng: Generator, axes: object) -> object:
    """Draw one entry anew, others as they are."""
    leaves, tree = jax.tree.flatten(axes, is_leaf=lambda leaf: leaf is None)
    leaves[int(rng.integers(len(leaves)))] = pick(rng, (0, 1, None, -1))
    return jax.tree.unflatten(tree, leaves)

"""The smaller parts of the Timing page under one roof: what each runs, says and shows as code."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from playground.foundation.script import show_headlines, standalone
from playground.measure import timing
from playground.measure.closures import ClosureCost, closure_costs
from playground.measure.lies import LiesResult, measure_lies
from playground.measure.machine_facts import MachineFacts, machine_facts
from playground.measure.orders import OrdersResult, measure_orders
from playground.measure.recompile import CallCost, recompilations
from playground.measure.stopwatch import finish
from playground.measure.timing import TimingSettings
from playground.measure.workloads import WORKLOADS


@dataclass(frozen=True)
class Costs[Cost]:
    """What each of several calls or programs costs, and the machine that it was measured on."""

    costs: tuple[Cost, ...]
    machine: MachineFacts


def lies_headlines(result: LiesResult) -> dict[str, Any]:
    """Return whether the clock that does not wait stops before the result is there."""
    waited, not_waited = result.seconds("honest"), result.seconds("not waited for")
    return {"not waiting reports less": not_waited < waited}


def order_headlines(result: OrdersResult) -> dict[str, Any]:
    """Return which pairs are the same program, and whether their results agree."""
    headlines: dict[str, Any] = {}
    for pair in result.pairs:
        headlines[f"{pair.name}: same program"] = pair.same_text
        headlines[f"{pair.name}: results agree"] = pair.agrees
    return headlines


def recompile_headlines(costs: tuple[CallCost, ...]) -> dict[str, Any]:
    """Return how often each call was traced."""
    return {"calls": len(costs), "traces": tuple(cost.traces for cost in costs)}


def constant_headlines(costs: tuple[ClosureCost, ...]) -> dict[str, Any]:
    """Return the length of each program's text, and whether the results are right."""
    headlines: dict[str, Any] = {
        f"{cost.form}, {cost.numbers} numbers: characters": cost.characters for cost in costs
    }
    return headlines | {"results right": all(cost.largest_error < 1e-5 for cost in costs)}


def _at_once[Cost](
    function: Callable[[], tuple[Cost, ...]],
) -> Generator[float, None, Costs[Cost]]:
    yield 0.1
    return Costs(function(), machine_facts())


def measure_part(part: str, workload: str) -> Generator[float, None, Any]:
    """Start the measurement of a part; it yields the share of the work that is done."""
    work = WORKLOADS[workload]
    match part:
        case "lies":
            return measure_lies(work.example, work.draw, work.in_axes)
        case "order":
            return measure_orders()
        case "recompile":
            return _at_once(recompilations)
        case _:
            return _at_once(closure_costs)


def part_headlines(part: str, result: Any) -> dict[str, Any]:
    """Return the numbers of a part that do not depend on the clock."""
    headlines: dict[str, Callable[[Any], dict[str, Any]]] = {
        "lies": lies_headlines,
        "order": order_headlines,
        "recompile": recompile_headlines,
        "constants": constant_headlines,
    }
    return headlines[part](result.costs if isinstance(result, Costs) else result)


def script(settings: TimingSettings) -> str:
    """Write the standalone script of the part that is open."""
    work = WORKLOADS[settings.workload]
    name, draw = (getattr(each, "__name__", "") for each in (work.example, work.draw))
    match settings.part:
        case "sweep":
            return timing.script(settings)
        case "lies":
            functions = (work.example, work.draw, measure_lies, finish, lies_headlines)
            run = f"lies_headlines(finish(measure_lies({name}, {draw}, {work.in_axes!r})))"
        case "order":
            functions = (measure_orders, finish, order_headlines)
            run = "order_headlines(finish(measure_orders()))"
        case "recompile":
            functions = (recompilations, recompile_headlines)
            run = "recompile_headlines(recompilations())"
        case _:
            functions = (closure_costs, constant_headlines)
            run = "constant_headlines(closure_costs())"
    body = f"show_headlines({run})"
    return standalone(*functions, show_headlines, body=body, title=f"Timing: {settings.part}")

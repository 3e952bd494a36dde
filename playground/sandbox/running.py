"""Running user code: admission, a place in the queue, the walls, the outcome."""

import json
import secrets
import time
from typing import Any

from playground.foundation import limits
from playground.sandbox import policy
from playground.sandbox.keeper import Lost, WallsFailed, keeper
from playground.sandbox.outcome import CodeError, Outcome, failed, settle
from playground.sandbox.places import Busy, Places
from playground.sandbox.policy import Walls
from playground.sandbox.sentences import refusal

LONGEST_CODE = 1 << 20
PATIENCE_SECONDS = 30.0
_WAITING, _WAITING_PER_SESSION = 32, 16

_places = Places(limits.cores(), _WAITING, _WAITING_PER_SESSION)
# Walls that could not be put up: when that was, and what the system said.
_broken: dict[Walls, tuple[float, str]] = {}
_RETRY_SECONDS = 60.0


def run(
    code: str,
    *,
    seconds: float = 10,
    memory_bytes: int = 2 << 30,
    inputs: Any = None,
    session: str = "",
) -> Outcome:
    """Run code somebody typed, in a process of its own behind walls; waits for its end.

    The code finds the names `jax`, `jnp`, `lax` and `np`, and what it was given under `inputs`
    (and, where that is an object, under its keys). It hands back a value by setting `value`, or
    else `result`, or else by ending in an expression; arrays become nested lists.

    Args:
        code: Python source, at most 1 MiB.
        seconds: wall-clock limit.
        memory_bytes: limit for the memory of all its processes together, above JAX itself.
        inputs: JSON data for the code.
        session: who asks; sessions take turns when all places are taken.

    Returns:
        The outcome; see `Outcome.status`. No exception of the user's code comes out of here.

    Raises:
        TypeError, ValueError: the arguments themselves make no sense (`inputs` is no JSON ...).
    """
    return run_driver(
        code, None, seconds=seconds, memory_bytes=memory_bytes, inputs=inputs, session=session
    )


def run_driver(
    code: str,
    driver: str | None,
    question: Any = None,
    *,
    seconds: float = 10,
    memory_bytes: int = 2 << 30,
    inputs: Any = None,
    session: str = "",
    jail_only: bool = False,
) -> Outcome:
    """Run user code, then a trusted function of ours in the same process.

    The driver is imported before the user's code runs, yet shares the interpreter with it: what
    it returns is the user's process's word. Use it to fetch VALUES, and judge them here.

    Args:
        code: Python source.
        driver: "module:function" in playground.sandbox or playground.axes, or in
            playground.measure.answering, called as `function(names, question)` with the names
            the code left; returns JSON data.
        question: JSON data for the driver; the user's code can come to see it.
        seconds: as in `run`.
        memory_bytes: as in `run`.
        inputs: as in `run`.
        session: as in `run`.
        jail_only: refuse where there is no jail, also where the server is the user's own: for
            code that the user has not seen yet, such as that of a link.

    Returns:
        The outcome; `value` is what the driver returned.
    """
    request = _request(code, driver, question, seconds, memory_bytes, inputs)
    if len(code) > LONGEST_CODE:
        return failed("error", "CodeTooLong", f"more than {LONGEST_CODE} characters of code")
    decision = policy.decide()
    if jail_only and decision.walls:
        jail: tuple[Walls, ...] = ("jail",) if "jail" in decision.walls else ()
        decision = policy.Decision(jail, "no_jail")
    if not decision.walls:
        return failed("refused", decision.reason, refusal(decision.reason, "en"))
    try:
        with _places.place(session, PATIENCE_SECONDS):
            return _within(decision, request)
    except Busy:
        return failed("busy", "Busy", "all places for user code are taken")


def _request(
    code: str, driver: str | None, question: Any, seconds: float, memory_bytes: int, inputs: Any
) -> dict[str, Any]:
    if not isinstance(code, str):
        raise TypeError(f"code must be text, not {type(code).__name__}")
    if not (0 < seconds < 86_400 and memory_bytes > 0):
        raise ValueError("seconds and memory_bytes must be positive")
    request = {
        "code": code,
        "inputs": json.loads(json.dumps(inputs)),
        "question": json.loads(json.dumps(question)),
        "seconds": float(seconds),
        "memory_bytes": int(memory_bytes),
        "cores": limits.cores(),
        "token": secrets.token_hex(16),
    }
    return request if driver is None else request | {"driver": driver}


def _within(decision: policy.Decision, request: dict[str, Any]) -> Outcome:
    """Try the walls allowed, best first; for a while pass over those that failed."""
    for walls in decision.walls:
        if walls in _broken and time.monotonic() - _broken[walls][0] < _RETRY_SECONDS:
            continue
        try:
            return settle(keeper(walls).exchange(request) | {"token": request["token"]})
        except WallsFailed as error:
            _broken[walls] = time.monotonic(), str(error)
        except Lost as error:
            text = f"the sandbox itself was lost and starts anew ({error})"
            return Outcome("crashed", error=CodeError("SandboxLost", text))
    reason = decision.reason or "no_processes"
    tried = "; ".join(f"{walls}: {text[-500:]}" for walls, (_, text) in _broken.items())
    return failed("refused", reason, f"{refusal(reason, 'en')} (Tried - {tried})")

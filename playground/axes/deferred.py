"""Arrays that know their shape and how they would be computed, and the trace that makes them.

`jax.vmap` called outside `jit` runs each operation at once: an argument that is not mapped stays a
concrete value, so `if flag > 0` and `range(n)` work on it. `jax.eval_shape` would turn it into a
tracer and refuse. The trace below keeps the eager meaning and computes nothing that is large: as
the current trace it receives what `jax.vmap` sends to its parent, runs an operation on small
concrete values, and answers everything else with a `DeferredArray`. Only when Python asks for a
value (`if`, `int`, `np.asarray`) is the recipe of a deferred array run, within limits.

`jax._src` is needed here: the public `jax.extend` offers primitives and jaxprs but not the current
trace.
"""

from __future__ import annotations

import operator
from typing import Any

import jax
import numpy as np
from jax._src import core, dtypes, effects
from jax._src.interpreters import partial_eval
from jax._src.lax import parallel
from jax._src.random import prng

from playground.axes.forcing import (
    COMPILED_WORK,
    Recipe,
    Undecided,
    element_count,
    force,
    work,
)
from playground.axes.lowering import check_lowering, check_rule, needs_compiling

# Up to this many elements an operation on concrete values runs as it would in the real call.
EAGER_ELEMENTS = 2**14


class MappedNumPy(np.ndarray):
    """A mapped NumPy array, as vmap itself gets it: its rules may hand it back with its own dtype.

    They call NumPy's methods on it (views: nothing is copied); the first operation of JAX makes it
    a deferred array.
    """


class DeferredArray(core.Tracer):
    """An array that would be concrete in the real call; its value is computed only on request."""

    __slots__ = ("recipe",)

    def __init__(self, trace: DeferredTrace, aval: Any, recipe: Recipe):
        super().__init__(trace, aval)
        self.recipe = recipe

    def to_concrete_value(self) -> Any:
        """Compute the value (JAX asks before it refuses)."""
        return force(self.recipe)

    def _short_repr(self) -> str:
        return f"DeferredArray({self.aval})"

    def __bool__(self) -> bool:
        return bool(force(self.recipe))

    def __int__(self) -> int:
        return int(force(self.recipe))

    def __float__(self) -> float:
        return float(force(self.recipe))

    def __complex__(self) -> complex:
        return complex(force(self.recipe))

    def __index__(self) -> int:
        return operator.index(force(self.recipe))

    def __array__(self, *args: Any, **kwargs: Any) -> np.ndarray:
        return np.asarray(force(self.recipe), *args, **kwargs)

    def __format__(self, spec: str) -> str:
        return format(force(self.recipe), spec)

    def tolist(self) -> Any:
        """Return the value as nested lists."""
        return force(self.recipe).tolist()

    def item(self, *args: Any) -> Any:
        """Return the value of a single element."""
        return force(self.recipe).item(*args)

    def tobytes(self, order: Any = "C") -> bytes:
        """Return the bytes of the value."""
        return np.asarray(force(self.recipe)).tobytes(order)

    def block_until_ready(self) -> DeferredArray:
        """Wait for nothing."""
        return self


def _as_on_a_concrete_array(name: str) -> property:
    return property(lambda self: getattr(force(self.recipe), name))


# What a concrete array has and a tracer refuses.
for _name in (
    "sharding",
    "device",
    "devices",
    "committed",
    "addressable_shards",
    "addressable_data",
    "global_shards",
    "is_fully_addressable",
    "is_fully_replicated",
    "is_deleted",
    "unsafe_buffer_pointer",
    "on_device_size_in_bytes",
    "copy_to_host_async",
    "__dlpack__",
):
    setattr(DeferredArray, _name, _as_on_a_concrete_array(_name))


class DeferredKeys(DeferredArray):
    """Typed keys: a concrete array of them has fewer methods than a tracer of them."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        return getattr(force(self.recipe), name)


# What keys only inherit from jax.Array, where it refuses.
for _name in dir(jax.Array):
    if not _name.startswith("_") and (
        getattr(prng.PRNGKeyArray, _name) is getattr(jax.Array, _name)
    ):
        setattr(DeferredKeys, _name, _as_on_a_concrete_array(_name))


def deferred(trace: DeferredTrace, aval: Any, recipe: Recipe) -> DeferredArray:
    """Make the deferred array of a type."""
    is_keys = isinstance(aval, core.ShapedArray) and dtypes.issubdtype(aval.dtype, dtypes.extended)
    return (DeferredKeys if is_keys else DeferredArray)(trace, aval, recipe)


def _abstract_evaluation(primitive: Any, avals: list, params: dict) -> tuple[list, Any]:
    # The same two ways as JAX's own tracing to a jaxpr: cached where parameters are hashable.
    uncached = primitive.ref_allocating or primitive.name.startswith("call_hi_primitive")
    try:
        if uncached or primitive.name == "custom_lin":
            out, effs = primitive.abstract_eval(*avals, **params)
        else:
            out, effs = partial_eval._cached_abstract_eval(primitive, *avals, **params)
    except TypeError as error:
        # Run for real, most operations look up a compiled program and need hashable parameters.
        if needs_compiling(primitive) or "unhashable" not in str(error):
            raise
        out, effs = primitive.abstract_eval(*avals, **params)
    return (list(out) if primitive.multiple_results else [out]), effs


class DeferredTrace(core.Trace):
    """The trace beneath the outermost `jax.vmap`: eager for small values, deferred otherwise."""

    def leaf(self, aval: Any, value: Any) -> DeferredArray:
        """Make the deferred array of an argument.

        Args:
            aval: its shape and dtype.
            value: function without arguments that returns the value if it is ever needed.

        Returns:
            The deferred array.
        """
        return deferred(self, aval, Recipe(aval, leaf=value))

    def stage_value(self, val: Any) -> Any:
        """Lift a value into the trace: arrays pass through, as in the eager trace."""
        if isinstance(val, MappedNumPy):
            return self.leaf(core.typeof(val), lambda: np.asarray(val))
        if isinstance(val, core.Tracer):
            return val
        return core.eval_trace.stage_value(val)

    def process_primitive(self, primitive: Any, args: Any, params: dict, /) -> Any:
        """Run one operation: eagerly if it is small and all concrete, else on shapes only."""
        check_rule(primitive)
        if getattr(primitive.impl, "func", None) is parallel._allreduce_impl:
            # A sum over the batch runs as an ordinary reduction, and is refused like one.
            with core.set_current_trace(self):
                return primitive.impl(*args, **params)
        args = [self.stage_value(arg) if isinstance(arg, MappedNumPy) else arg for arg in args]
        avals = [core.typeof(arg) for arg in args]
        concrete = not any(isinstance(arg, DeferredArray) for arg in args)
        try:
            out_avals, effs = _abstract_evaluation(primitive, avals, params)
        except Exception:
            if not concrete:
                raise
            # The eager call knows best how it fails.
            return primitive.bind_with_trace(core.eval_trace, tuple(args), tuple(avals), params)
        if concrete and self._runs_at_once(avals, out_avals, effs, params):
            return primitive.bind_with_trace(core.eval_trace, tuple(args), tuple(avals), params)
        check_lowering(primitive, avals, params)
        inputs = [arg.recipe if isinstance(arg, DeferredArray) else arg for arg in args]
        recipes = Recipe.of_operation(primitive, inputs, avals, params, out_avals)
        outs = [deferred(self, a, r) for a, r in zip(out_avals, recipes, strict=True)]
        return outs if primitive.multiple_results else outs[0]

    @staticmethod
    def _runs_at_once(avals: list, out_avals: list, effs: Any, params: dict) -> bool:
        if any(element_count(aval) > EAGER_ELEMENTS for aval in (*avals, *out_avals)):
            return False
        # Printing and callbacks belong to the real call, not to its explanation.
        if any(not isinstance(effect, effects.JaxprInputEffect) for effect in effs):
            return False
        return work(params) <= COMPILED_WORK

    def process_custom_jvp_call(self, primitive: Any, fun: Any, jvp: Any, tracers: Any, /, **_):
        """Run the function itself, as the eager trace does."""
        with core.set_current_trace(self):
            return fun.call_wrapped(*tracers)

    def process_custom_vjp_call(
        self, primitive: Any, fun: Any, fwd: Any, bwd: Any, tracers: Any, /, **_
    ):
        """Run the function itself, as the eager trace does."""
        with core.set_current_trace(self):
            return fun.call_wrapped(*tracers)

    def process_shard_map(self, primitive: Any, fun: Any, args: Any, **params: Any) -> Any:
        """Run a shard_map of concrete values; on deferred ones only a staged trace can tell."""
        if any(isinstance(arg, DeferredArray) for arg in args):
            raise Undecided(primitive)
        # shard_map adds this method to the eager trace when it is imported.
        return vars(core.EvalTrace)["process_shard_map"](
            core.eval_trace, primitive, fun, args, **params
        )

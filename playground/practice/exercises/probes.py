"""Sent to the user's process as source and run there: what a function does to its data.

Their answers are that process's own word. They explain and catch honest mistakes; the values, and
the size of the program, are judged elsewhere.
"""

import inspect

import jax

# Run once: compiling counts, running does not.
_IN_HASTE = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}


def _fits(function, count):
    """Whether a function can be called with so many positional arguments."""
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        return False
    except ValueError:
        return callable(function)
    return True


def _quick(function, arguments):
    """Call a function, compiled as a whole where it can be.

    That is much faster than operation by operation for shapes never seen before. Whole numbers
    stay numbers of Python.
    """
    places = [p for p, value in enumerate(arguments) if not isinstance(value, int)]

    def of_arrays(*arrays):
        every = list(arguments)
        for place, array in zip(places, arrays, strict=True):
            every[place] = array
        return function(*every)

    try:
        return jax.jit(of_arrays, compiler_options=_IN_HASTE)(
            *(arguments[place] for place in places)
        )
    except Exception:
        return function(*arguments)


def _inner(equation):
    """The programs inside an equation."""
    for parameter in equation.params.values():
        for each in parameter if isinstance(parameter, list | tuple) else [parameter]:
            each = getattr(each, "jaxpr", each)
            if hasattr(each, "eqns"):
                yield each


def _is_turned(function, arguments, position):
    """Whether a program transposes one argument outside of vmap, which may do so for itself."""
    before = len(jax.tree.leaves(arguments[:position]))

    def walk(program, data, under_vmap):
        data = set(data)
        for equation in program.eqns:
            hit = [p for p, v in enumerate(equation.invars) if not hasattr(v, "val") and v in data]
            if not hit:
                continue
            name = equation.primitive.name
            is_inside = under_vmap or "vmap" in str(equation.source_info.name_stack)
            if name == "transpose" and not is_inside:
                return True
            for inner in _inner(equation):
                if len(inner.invars) == len(equation.invars):
                    if walk(inner, [inner.invars[p] for p in hit], is_inside):
                        return True
                    if name in ("jit", "pjit") and inner.eqns == []:
                        data.update(equation.outvars)
            if name in ("convert_element_type", "copy", "copy_p", "mul", "neg"):
                data.update(equation.outvars)
        return False

    program = jax.make_jaxpr(function)(*arguments).jaxpr
    return walk(program, [program.invars[before]], False)


def _largest(function, arguments):
    """The number of elements of the largest array inside a traced program."""

    def walk(program):
        sizes = [v.aval.size for e in program.eqns for v in e.outvars if hasattr(v.aval, "size")]
        return max([0, *sizes, *(walk(inner) for e in program.eqns for inner in _inner(e))])

    return walk(jax.make_jaxpr(function)(*arguments).jaxpr)


def _steps(function, arguments):
    """Count the steps Python takes in the user's own lines during one call."""
    import sys

    from playground.sandbox.child import FILE

    count = 0

    def local(frame, event, argument):
        nonlocal count
        count += event == "opcode"
        return local

    def called(frame, event, argument):
        if frame.f_code.co_filename != FILE:
            return None
        frame.f_trace_opcodes = True
        return local

    sys.settrace(called)
    try:
        function(*arguments)
    finally:
        sys.settrace(None)
    return count


def source() -> str:
    """Return the probes as source, without this function."""
    import sys

    text = inspect.getsource(sys.modules[__name__])
    return text[: text.index("\ndef source()")]

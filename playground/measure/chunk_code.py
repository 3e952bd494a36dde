"""Writes the code that an engineer takes home: moveaxis and `lax.map(batch_size=k)`."""

from collections.abc import Sequence


def chunk_code(
    function: str,
    arguments: Sequence[str],
    in_axes: Sequence[int | None],
    chunk_size: int,
    reduce: str | None = None,
) -> str:
    """Write a function of the whole batch that works through it in chunks.

    Args:
        function: name of the function for one example.
        arguments: names of its arguments.
        in_axes: batch axis of each argument, or None for a shared one.
        chunk_size: examples at once.
        reduce: None returns all outputs; "sum" or "mean" bring them down inside the loop.

    Returns:
        Python source of `in_chunks(*arguments)`; needs `jax`, `jax.numpy as jnp` and `function`.
    """
    pairs = zip(arguments, in_axes, strict=True)
    mapped = [(name, axis) for name, axis in pairs if axis is not None]
    names = ", ".join(name for name, _ in mapped) + ("," if len(mapped) == 1 else "")
    lines = [f"def in_chunks({', '.join(arguments)}):"]
    lines += [f"    {n} = jnp.moveaxis({n}, {axis}, 0)" for n, axis in mapped if axis != 0]
    lines += [
        "    def one(slices):",
        f"        {names} = slices",
        f"        return {function}({', '.join(arguments)})",
    ]
    if reduce is None:
        lines.append(f"    return jax.lax.map(one, ({names}), batch_size={chunk_size})")
        return "\n".join(lines) + "\n"
    first = mapped[0][0]
    share = f" / {first}.shape[0]" if reduce == "mean" else ""
    lines += [
        "    def add(total, chunk):",
        "        outputs = jax.vmap(one)(chunk)",
        "        return jax.tree.map(lambda t, o: t + o.sum(0), total, outputs), None",
        f"    batch, k = ({names}), {chunk_size}",
        f"    whole = {first}.shape[0] // k * k",
        "    chunks = tuple(a[:whole].reshape(-1, k, *a.shape[1:]) for a in batch)",
        "    shapes = jax.eval_shape(lambda: one(tuple(a[0] for a in batch)))",
        "    zeros = jax.tree.map(lambda s: jnp.zeros(s.shape, s.dtype), shapes)",
        "    total, _ = jax.lax.scan(add, zeros, chunks)",
        "    total, _ = add(total, tuple(a[whole:] for a in batch))  # the rest, maybe empty",
        f"    return jax.tree.map(lambda t: t{share}, total)" if share else "    return total",
    ]
    return "\n".join(lines) + "\n"

"""Functions of the museum whose own code is at fault, each with the version that works."""

import math

import jax
import jax.numpy as jnp
from jax import lax


def relu(x):
    """Keep one number if it is positive."""
    if x > 0:
        return x
    return 0.0


def relu_cured(x):
    """Keep one number if it is positive; both sides are computed, one is chosen."""
    return jnp.where(x > 0, x, 0.0)


def signed_arguments():
    """Return numbers of both signs."""
    x = jnp.array([-1.0, 2.0, 3.0, -4.0])
    return (x,)


def inside(x):
    """Tell whether one number lies between 0 and 3."""
    return x > 0 and x < 3


def inside_cured(x):
    """Tell whether one number lies between 0 and 3, element by element."""
    return (x > 0) & (x < 3)


def compound(balance, years):
    """Let one balance grow for its own number of years."""
    for _ in range(years):
        balance = balance * 1.05
    return balance


def compound_cured(balance, years):
    """Let one balance grow; the loop is part of the program, so its length may vary."""
    return lax.fori_loop(0, years, lambda _, value: value * 1.05, balance)


def compound_arguments():
    """Return three balances, each with its years."""
    balance = jnp.array([100.0, 200.0, 300.0])
    years = jnp.array([1, 2, 10])
    return balance, years


def positive_sum(row):
    """Sum the positive entries of one row."""
    return row[row > 0].sum()


def positive_sum_cured(row):
    """Sum the positive entries of one row; the others count as zero."""
    return jnp.where(row > 0, row, 0.0).sum()


def signed_rows_arguments():
    """Return three rows with entries of both signs."""
    row = jnp.array([[1.0, -2.0, 3.0], [-1.0, -2.0, 5.0], [4.0, 4.0, -4.0]])
    return (row,)


def hypotenuse(a, b):
    """Return the long side of one triangle."""
    return math.sqrt(a * a + b * b)


def hypotenuse_cured(a, b):
    """Return the long side of one triangle with JAX's own square root."""
    return jnp.sqrt(a * a + b * b)


def triangle_arguments():
    """Return the short sides of three triangles."""
    a = jnp.array([3.0, 5.0, 8.0])
    b = jnp.array([4.0, 12.0, 15.0])
    return a, b


def row_total(row):
    """Sum one row, written as if the batch were still there."""
    return row.sum(axis=1)


def row_total_cured(row):
    """Sum one row, which is all that the function sees."""
    return row.sum()


def rows_arguments():
    """Return four rows of three numbers."""
    row = jnp.arange(12.0).reshape(4, 3)
    return (row,)


def named_score(row):
    """Return the score of one row together with a word."""
    return {"score": row.sum(), "unit": "points"}


def named_score_cured(row):
    """Return the score of one row; the word stays outside."""
    return {"score": row.sum()}


def squared_error(w, x):
    """Return the squared error of one example, whose target is 1."""
    return (w @ x - 1.0) ** 2


def slopes(w, x):
    """Ask for per-example gradients in the wrong order."""
    return jax.grad(jax.vmap(squared_error, in_axes=(None, 0)))(w, x)


def slopes_cured(w, x):
    """Ask for per-example gradients: vmap around grad."""
    return jax.vmap(jax.grad(squared_error), in_axes=(None, 0))(w, x)


def squared_error_arguments():
    """Return weights and a batch of five examples."""
    w = jnp.array([0.5, -1.0, 2.0])
    x = jnp.arange(15.0).reshape(5, 3)
    return w, x


def cube_slope(x):
    """Return the slope of the cube at one number."""
    return jax.grad(lambda value: value**3)(x)


def cube_slope_cured(x):
    """Return the slope of the cube at one number, made real first."""
    return jax.grad(lambda value: value**3)(x.astype(jnp.float32))


def whole_numbers_arguments():
    """Return three whole numbers."""
    x = jnp.array([1, 2, 3])
    return (x,)


def log_or_zero(x):
    """Return the logarithm of one positive number, else 0."""
    return jnp.where(x > 0, jnp.log(x), 0.0)


def log_slope(x):
    """Return the slope of that function."""
    return jax.grad(log_or_zero)(x)


def safe_log_or_zero(x):
    """Return the same values; what is not wanted is replaced before the logarithm."""
    safe = jnp.where(x > 0, x, 1.0)
    return jnp.where(x > 0, jnp.log(safe), 0.0)


def log_slope_cured(x):
    """Return the slope of the safe function."""
    return jax.grad(safe_log_or_zero)(x)


def log_arguments():
    """Return a negative number, zero and two positive ones."""
    x = jnp.array([-1.0, 0.0, 2.0, 4.0])
    return (x,)

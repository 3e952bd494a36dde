"""Functions and arguments of the museum's calls whose fault lies in the axes or in the call.

Each `..._arguments` builds what is passed, under the names that the function uses.
"""

import jax
import jax.numpy as jnp
from jax import lax


def discount(price, rate):
    """Take a share off one price."""
    return price * (1 - rate)


def discount_arguments():
    """Return four prices and one rate for all."""
    price = jnp.array([20.0, 35.0, 50.0, 80.0])
    return price, 0.2


def scale_column(column, factor):
    """Scale one column by its factor."""
    return column * factor


def centre_and_scale(column, factor):
    """Centre one column and scale it by its factor."""
    return (column - column.mean()) * factor


def scale_arguments():
    """Return a matrix with five columns, and five factors."""
    column = jnp.arange(15.0).reshape(3, 5)
    factor = jnp.array([1.0, 10.0, 100.0, 1000.0, 10000.0])
    return column, factor


def segment_length(ends):
    """Return the length of one segment, given as a pair of points."""
    start, stop = ends
    return jnp.sqrt(jnp.sum((stop - start) ** 2))


def segment_arguments():
    """Return one argument: a pair of three points each."""
    ends = (jnp.zeros((3, 2)), jnp.array([[3.0, 4.0], [6.0, 8.0], [5.0, 12.0]]))
    return (ends,)


def total_price(quantity, unit, fee):
    """Return the price of one order."""
    return quantity * unit + fee


def order_arguments():
    """Return three orders and one fee for all."""
    quantity = jnp.array([3.0, 4.0, 5.0])
    unit = jnp.array([10.0, 20.0, 30.0])
    return quantity, unit, 1.5


def predict(params, x):
    """Apply a linear model to one example."""
    return params["w"] @ x + params["b"]


def predict_arguments():
    """Return the parameters of one model, and a batch of four examples."""
    params = {"w": jnp.array([1.0, 2.0, 3.0]), "b": jnp.array(0.5)}
    x = jnp.arange(12.0).reshape(4, 3)
    return params, x


def shifted(params):
    """Shift one row, with everything in one dict."""
    return params["row"] + params["shift"]


def shifted_arguments():
    """Return one dict: a batch of rows, and a shift for all."""
    params = {"row": jnp.arange(8.0).reshape(4, 2), "shift": jnp.array(100.0)}
    return (params,)


def unit_vector(size):
    """Return a vector of ones, scaled."""
    return size * jnp.ones(2)


def unit_arguments():
    """Return one number."""
    return (3.0,)


def doubled(reading):
    """Double one reading."""
    return 2 * reading


def doubled_column(reading):
    """Double one reading and return it as a row of one column."""
    return 2 * reading[None]


def reading_arguments():
    """Return six readings."""
    reading = jnp.array([1.0, 2.0, 4.0, 8.0, 16.0, 32.0])
    return (reading,)


def spread(row):
    """Return the smallest and the largest entry of one row."""
    return {"low": row.min(), "high": row.max()}


def row_arguments():
    """Return a batch of four rows."""
    row = jnp.array([[2.0, 7.0, 1.0], [8.0, 2.0, 8.0], [1.0, 8.0, 2.0], [8.0, 4.0, 5.0]])
    return (row,)


def reduce_row(row, how):
    """Reduce one row in the way that `how` names."""
    return row.sum() if how == "sum" else row.max()


def reduce_arguments():
    """Return a batch of four rows and a word."""
    row = jnp.arange(12.0).reshape(4, 3)
    return row, "sum"


def noisy(key, x):
    """Add noise to one number."""
    return x + jax.random.normal(key)


def noisy_arguments():
    """Return one key and four numbers."""
    key = jax.random.key(7)
    x = jnp.zeros(4)
    return key, x


def noisy_keys_arguments():
    """Return four keys and four numbers."""
    key = jax.random.split(jax.random.key(7), 4)
    x = jnp.zeros(4)
    return key, x


def centred(x):
    """Subtract the mean of the whole batch from one number."""
    return x - lax.pmean(x, "batch")


def centred_arguments():
    """Return four numbers."""
    x = jnp.array([0.0, 1.0, 2.0, 3.0])
    return (x,)

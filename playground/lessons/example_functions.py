"""The per-example functions of the Axes page, as a person would write them."""

from jax import lax


def add_scalar(vector, scalar):
    """Add one number to one vector."""
    return vector + scalar


def scale_column(column, scalar):
    """Scale one column by one number."""
    return column * scalar


def row_filter(row, weights):
    """Weight the entries of one row."""
    return row * weights


def linear_layer(x, weight, bias):
    """Apply a linear layer to one example."""
    return weight @ x + bias


def predict(params, x):
    """Apply a linear model with parameters in a dict to one example."""
    return params["w"] @ x + params["b"]


def sum_and_double(vector):
    """Return a dict of two outputs."""
    return {"sum": vector.sum(), "doubled": 2 * vector}


def centre_and_peak(vector):
    """Return a tuple of two outputs."""
    return vector - vector.mean(), vector.max()


def matvec(matrix, vector):
    """Multiply one matrix with one vector."""
    return matrix @ vector


def scaled_and_factor(vector, factor):
    """Return a product, and the factor as it came."""
    return vector * factor, factor


def centre_in_batch(x):
    """Subtract the mean over the batch; needs the name of the axis."""
    return x - lax.pmean(x, "batch")


def gate(flag, x, matrix):
    """Multiply with the matrix only when the flag is set."""
    return lax.cond(flag > 0, lambda m, v: m @ v, lambda m, v: v, matrix, x)


def relu_by_if(x, floor):
    """Clip with a Python if; cannot work on a mapped x."""
    return x if x > floor else floor

"""jnp.vectorize with a signature takes any leading dimensions."""

import jax.numpy as jnp
import numpy as np
import pytest

from playground.lessons.leading import jacobians, leading


# covers: A19
@pytest.mark.parametrize("dimensions", [(), (5,), (3, 4), (2, 3, 4), (0,)])
def test_any_leading_dimensions(dimensions):
    points = jnp.ones((*dimensions, 2))
    assert jacobians(points).shape == (*dimensions, 2, 2)


# covers: A19
def test_the_call_of_the_page_and_its_jacobian_by_hand():
    result = leading((3, 4))
    assert (result.shape, result.output, result.agrees) == ((3, 4, 2), (3, 4, 2, 2), True)
    x0, x1 = 0.3, 1.7
    by_hand = [[np.cos(x0) * x1, np.sin(x0)], [2 * x0, 1]]
    assert np.allclose(jacobians(jnp.array([x0, x1])), by_hand, rtol=1e-6)

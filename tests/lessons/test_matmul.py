"""A batch of matrix products three ways."""

import numpy as np
import pytest

from playground.lessons.matmul import WAYS, product_ways, way_named


# covers: N9
def test_the_three_ways_are_one_program():
    found = product_ways(3, 4, 5, 6, 0)
    assert list(found.jaxprs) == list(WAYS)
    assert all("dot_general" in text for text in found.jaxprs.values())
    assert all(found.same_jaxpr.values())
    assert all(found.same_program.values())
    assert found.largest_difference == 0


@pytest.mark.parametrize("name", WAYS)
def test_each_way_is_the_product_of_each_pair(name):
    random = np.random.default_rng(0)
    A = random.normal(size=(3, 4, 5)).astype(np.float32)
    B = random.normal(size=(3, 5, 2)).astype(np.float32)
    loop = np.stack([a.astype(float) @ b for a, b in zip(A, B, strict=True)])
    np.testing.assert_allclose(way_named(name)(A, B), loop, rtol=1e-5, atol=1e-6)

"""Five points by hand, the refusal of grad(vmap), vector outputs."""

import jax.numpy as jnp
import numpy as np

from playground.lessons.first_gradients import five_points, refused_gradient, tanh_slopes


# covers: G3
def test_five_points_have_these_gradients_and_this_mean():
    points = five_points()
    np.testing.assert_allclose(points.dw, [0, 0.1875, 0.25, 0.1875, 0], atol=1e-6)
    np.testing.assert_allclose(points.db, [1, 0.75, 0.5, 0.25, 0], atol=1e-6)
    np.testing.assert_allclose(points.mean, [0.125, 0.5], atol=1e-6)
    np.testing.assert_allclose([points.dw.mean(), points.db.mean()], points.mean, atol=1e-6)


# covers: G4
def test_grad_of_vmap_is_refused_by_jax():
    said = refused_gradient()
    assert said.startswith("TypeError")
    assert "scalar-output functions" in said


# covers: G13
def test_slopes_of_tanh_element_by_element_and_of_the_sum():
    x = jnp.linspace(-2.0, 2.0, 5)
    each, of_sum = tanh_slopes(1.5, x)
    np.testing.assert_allclose(each, [-0.01973, -0.18071, 0, 0.18071, 0.01973], atol=1e-5)
    wide = np.linspace(-2.0, 2.0, 5)
    np.testing.assert_allclose(each, wide * (1 - np.tanh(1.5 * wide) ** 2), atol=1e-6)
    np.testing.assert_allclose(of_sum, np.sum(wide * (1 - np.tanh(1.5 * wide) ** 2)), atol=1e-6)
    lopsided, total = tanh_slopes(1.5, jnp.array([0.5, 1.0]))
    np.testing.assert_allclose(total, lopsided.sum(), rtol=1e-6)

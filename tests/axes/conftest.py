"""What the tests of the engine leave behind."""

from collections.abc import Generator

import jax
import pytest


@pytest.fixture(autouse=True, scope="module")
def forget_refused_calls() -> Generator[None]:
    """JAX's caches take 2.0 for 2: after a refused axis_size=2.0 they may refuse a right call."""
    yield
    jax.clear_caches()

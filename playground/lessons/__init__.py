"""The mathematics of the pages: pure JAX, one idea a module."""

"""The mathematics of the pages in pure JAX, written for one example and batched by vmap."""

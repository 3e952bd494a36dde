"""The vmap playground: what `jax.vmap` does, computed and shown."""

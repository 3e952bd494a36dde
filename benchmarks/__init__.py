"""Our kernels beside their peers: one run, ratios; nothing here is needed by the app."""

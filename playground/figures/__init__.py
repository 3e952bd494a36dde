"""Arrays in, plotly figures out; the only room that imports plotly."""

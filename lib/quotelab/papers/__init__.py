"""The tables of the three papers behind the engine, ours beside the published figures, on one page."""

"""Training of what the other rooms use as files: nothing imports it."""

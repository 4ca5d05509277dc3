"""Files of labels made by human annotators: read and checked in one place."""

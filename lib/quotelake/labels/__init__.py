"""Files of labels that people made: read and checked in one place."""

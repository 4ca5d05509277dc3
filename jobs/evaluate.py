"""Measure against labels of people: `quotelab evaluate`, for spark-submit."""

import sys

from quotelab.cli import run
from quotelake.errors import exit_with

if __name__ == "__main__":
    exit_with(lambda: run(["evaluate", *sys.argv[1:]]))

"""The command ``quotelake mcp``, for ``spark-submit`` and plain Python; --help says what it does."""

from quotelake.cli import start

if __name__ == "__main__":
    start("mcp")

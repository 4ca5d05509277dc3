"""Adapter: Quotelake's groups, in one process."""

from quotelab.benchmarks.peers.contract import adapter_parser, read_texts, write_groups
from quotelake.reuse.texts import group_texts


def main() -> None:
    """Group the texts."""
    options = adapter_parser(__doc__).parse_args()
    write_groups(group_texts(read_texts(options.texts)), options.groups)


if __name__ == "__main__":
    main()

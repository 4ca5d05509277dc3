"""Tables of cases: a case a line, its columns between bars; ¶ stands for a blank line, ⏎ for a line break."""


def rows(table: str) -> list[list[str]]:
    """The columns of each case."""
    lines = table.strip().splitlines()
    return [[part.replace("¶", "\n\n").replace("⏎", "\n") for part in line.split(" | ")] for line in lines]

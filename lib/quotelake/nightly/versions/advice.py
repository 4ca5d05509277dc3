"""What to do about a lake that was computed by other versions: which of the two is newer decides it. Pure."""

from collections.abc import Sequence

_ARCHIVE = "give --activate to compute the whole archive again beside the old rows"


def advice(theirs: tuple[int | None, int | None], ours: tuple[int, int], unknown: Sequence[str] = ()) -> str:
    """Say what to do, in a sentence or two.

    Args:
        theirs: numbers of the code of the rules and of the outcomes that computed the lake; None where it does not say.
        ours: those of this release.
        unknown: columns of the lake that this release does not know.

    >>> advice((3, 4), (2, 4))[:67]
    'The lake was written by a newer release (rules 3, here 2): install '
    """
    named = zip(("rules", "outcomes"), theirs, ours, strict=True)
    signs = [f"{name} {their}, here {our}" for name, their, our in named if their is not None and their > our]
    if unknown:
        signs.append(f"columns that are not known here: {', '.join(unknown)}")
    if signs:
        return (
            f"The lake was written by a newer release ({'; '.join(signs)}): install that release or a later one. If "
            f"this older one is what you want, {_ARCHIVE}"
        )
    return (
        "If settings or the model were changed, restore them; if not, the lake was written by another release: install "
        f"that one. Or {_ARCHIVE}"
    )

"""Quotations of a text, each read with its source by a language model, after rules have checked them."""

from collections.abc import Sequence
from dataclasses import replace

from quotelake.drafts.check import Checked
from quotelake.drafts.formats import Plain
from quotelake.reader.instruction import question_of
from quotelake.settings import ReaderSettings


def read_checked(checked: list[Checked], sources: Sequence[Plain], settings: ReaderSettings | None) -> list[Checked]:
    """Have the model of the settings, if any, read each quotation that a source has, or a passage near to it."""
    if settings is None:
        return checked
    from quotelake.reader.client import Reader

    texts = {source.name: source.text for source in sources}
    found = {at: one.found for at, one in enumerate(checked) if one.found is not None and one.found.source in texts}
    asked = [question_of(checked[at].quote, texts[it.source], (it.start, it.end)) for at, it in found.items()]
    readings = dict(zip(found, Reader(settings).read_all(asked), strict=True))
    return [replace(one, reading=readings.get(at)) for at, one in enumerate(checked)]

"""Quotations of a text, each read with its source by a language model, after rules have checked them."""

from collections.abc import Sequence
from dataclasses import replace

from quotelake.drafts.check import Checked
from quotelake.drafts.formats import Plain
from quotelake.reader.client import Reader
from quotelake.reader.instruction import Question, question_of
from quotelake.settings import ReaderSettings


def read_checked(checked: Sequence[Checked], sources: Sequence[Plain], settings: ReaderSettings) -> list[Checked]:
    """Have the model of the settings read each quotation with the source that has it, or with the only one."""
    texts = {source.name: source.text for source in sources}
    only = sources[0].name if len(texts) == 1 else None
    questions = dict[int, Question]()
    for place, one in enumerate(checked):
        body = texts.get(one.found.source if one.found else only or "")
        if body is not None:
            questions[place] = question_of(one.quote, body, one.found and (one.found.start, one.found.end))
    with Reader(settings) as reader:
        readings = dict(zip(questions, reader.read_all([*questions.values()]), strict=True))
    return [replace(one, reading=readings.get(place)) for place, one in enumerate(checked)]

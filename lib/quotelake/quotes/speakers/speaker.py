"""The speaker of a quote."""

from typing import Final, NamedTuple

from quotelake.quotes.entities import Unescaped


class Speaker(NamedTuple):
    """Who says a quote. Offsets count code points of the raw text.

    Attributes:
        start: first character of the noun phrase that names the speaker, with titles and roles before the name and an
            apposition after it.
        end: one past the last.
        text: ``raw[start:end]``.
        head_end: end of the phrase without the apposition; at most ``end``.
        cue_start: first character of the cue, the word or colon that reports; None where there is none.
        cue_end: one past its last.
        cue_lemma: the verb in its base form, the noun, ``according`` or ``:``.
        how: place of the speaker relative to the quote: ``before``, ``after``, ``inside`` (between two parts of one
            utterance), ``colon``, or ``continued`` (taken over from the quote before).
        type: ``person``, ``organisation``, ``document``, ``anonymous`` or ``crowd``.
        name_start: first character of the person's full name: in the phrase, or for a pronoun or surname the last
            mention before it, if nobody else can be meant; else None.
        name_end: one past its last.
        name: ``raw[name_start:name_end]``.
        rule: the rule that found the speaker, so that each can be measured; it is no column of a table.
    """

    start: int
    end: int
    text: str
    head_end: int
    cue_start: int | None
    cue_end: int | None
    cue_lemma: str | None
    how: str
    type: str
    name_start: int | None = None
    name_end: int | None = None
    name: str | None = None
    rule: str = ""

    # ``_replace`` would take six times as long, for each quote.

    def inside(self) -> "Speaker":
        """The same speaker for a quote whose sentence the reporting clause interrupts."""
        return _new(Speaker, (*self[:_HOW], "inside", *self[_HOW + 1 :]))

    def continued(self, rule: str) -> "Speaker":
        """The same speaker for a later quote without a reporting clause."""
        return _new(Speaker, (*self[:_HOW], "continued", *self[_HOW + 1 : -1], f"continued: {rule}"))

    def named(self, raw: str, start: int, end: int) -> "Speaker":
        """The same speaker with ``raw[start:end]`` as the full name, and so a person, however the phrase begins."""
        return _new(Speaker, (*self[: _HOW + 1], "person", start, end, raw[start:end], self.rule))


_HOW: Final = Speaker._fields.index("how")
_new: Final = tuple.__new__


def in_raw(speaker: Speaker, raw: str, read: Unescaped) -> Speaker:
    """The same speaker with the offsets and the texts of the raw field."""

    def place(offset: int | None) -> int | None:
        return None if offset is None else read.raw(offset)

    start, end, head_end = read.raw(speaker.start), read.raw(speaker.end), read.raw(speaker.head_end)
    name_start, name_end = place(speaker.name_start), place(speaker.name_end)
    return speaker._replace(
        start=start,
        end=end,
        text=raw[start:end],
        head_end=head_end,
        cue_start=place(speaker.cue_start),
        cue_end=place(speaker.cue_end),
        name_start=name_start,
        name_end=name_end,
        name=None if speaker.name is None else raw[name_start:name_end],
    )

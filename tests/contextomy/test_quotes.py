"""Body quotes: what one sentence says in two is one."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contextomy.judging import judge
from tests.growth import assert_linear

from quotelake.contextomy.quotes import Body, BodyQuote, body_quotes
from quotelake.contextomy.speakers import SpeakerMention
from quotelake.quotes.spans import find_quotes


def parts_of(body: str) -> list[BodyQuote]:
    quotes = find_quotes(body, "body")
    return [
        BodyQuote(q.text, None, "direct", None, q.start, str(i), utterance_id=str(q.utterance))
        for i, q in enumerate(quotes)
    ]


def test_a_sentence_with_its_reporting_clause_inside_is_quoted_whole_and_half_of_it_is_an_excerpt():
    found = judge("“We lost but we learned”", "“We lost,” Ito said, “but we learned.” “Never again,” said Bell.")
    assert (found.outcome, found.best.text) == ("identical", "We lost,” Ito said, “but we learned.")
    body = "“We will sail at dawn,” Ito said, “if the wind turns.” Nobody else spoke."
    found = judge("“We will sail at dawn”", body)
    kinds = [each.kind for each in found.differences]
    assert (found.alert, kinds) == (None, ["condition"])
    [(start, end)] = found.omitted
    assert body[found.best.start + start : found.best.start + end] == "if the wind turns"


def test_the_speaker_is_the_first_known_of_its_parts_and_two_sentences_are_two_quotes():
    ito = SpeakerMention("Ito", "Ito", "person", None)
    parts = [BodyQuote("We lost,", None, start=1), BodyQuote("but we learned.", None, speaker=ito, start=22)]
    assert [quote.speaker for quote in body_quotes(parts)] == [ito]
    assert len(body_quotes(parts_of("“We lost,” Ito said. “But we learned.”"))) == 2


@given(
    st.text(st.sampled_from('“”", aB.s\n'), max_size=60)
    | st.just('"We lost," Ito said, "but we learned," he said, "all."')
)
def test_letters_stand_where_the_body_has_them(body: str):
    parts = parts_of(body)
    quotes = body_quotes(parts)
    assert sorted(quote.quote_id for quote in quotes) == sorted({part.utterance_id for part in parts})
    for quote in quotes:
        for offset, character in enumerate(quote.text):
            assert character in (" ", body[quote.start + offset])
    said = "".join("".join(part.text.split()) for part in parts)
    assert sorted("".join(quote.text for quote in quotes).replace(" ", "").replace("\n", "")) == sorted(said)


@pytest.mark.slow
def test_many_reporting_clauses_inside_quotes_take_linear_time():
    def work(size: int) -> Callable[[], str]:
        text = "“We lost,” Ito said, “but we learned.” " * (size // 40)
        quotes = body_quotes(parts_of(text))
        return lambda: Body(text, "complete", quotes).without_reporting_clauses

    assert_linear(work, 32_000)

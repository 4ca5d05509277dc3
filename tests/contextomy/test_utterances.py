"""What one sentence says in two quotes is one body quote, and its offsets are those of the body."""

from hypothesis import given
from hypothesis import strategies as st

from quotelake.article import Article, judge_article
from quotelake.contextomy.speakers import Who
from quotelake.contextomy.utterances import Part, body_quotes
from quotelake.quotes.spans import find_quotes
from quotelake.settings import load_settings

SETTINGS = load_settings()


def parts_of(body: str) -> list[Part]:
    quotes = find_quotes(body, "body")
    return [Part(str(i), str(q.utterance), q.start, q.text, None, None) for i, q in enumerate(quotes)]


def judged(headline: str, body: str):
    [judgement] = judge_article(Article(headline, body, "en", "complete"), SETTINGS)
    return judgement


def test_a_sentence_with_its_reporting_clause_inside_is_quoted_whole():
    judgement = judged("“We lost but we learned”", "“We lost,” Ito said, “but we learned.” “Never again,” said Bell.")
    assert judgement.match.outcome == "identical"
    assert judgement.best.text == "We lost,” Ito said, “but we learned."


def test_half_of_a_sentence_is_an_excerpt_and_its_condition_is_missed():
    body = "“We will sail at dawn,” Ito said, “if the wind turns.” Nobody else spoke."
    match = judged("“We will sail at dawn”", body).match
    assert (match.outcome, match.alert, match.omissions.condition) == ("excerpt", "risky_excerpt", True)
    [(start, end)] = match.omissions.spans
    assert body[match.best.start + start : match.best.start + end] == "if the wind turns"


def test_the_speaker_is_the_first_known_of_its_parts():
    ito = Who("Ito", "Ito", "person", None)
    parts = [Part("a", "a", 1, "We lost,", None, None), Part("b", "a", 22, "but we learned.", None, ito)]
    assert [quote.speaker for quote in body_quotes(parts)] == [ito]


def test_two_sentences_are_two_quotes():
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

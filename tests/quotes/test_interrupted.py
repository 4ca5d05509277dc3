"""Sentences in two quotes, and quotes that the text says are translated; every text is invented."""

import pytest

from quotelake.quotes.spans import find_quotes

ONE = [
    '"We lost," Ito said, "but we learned."',
    "“We lost,” said Mr. Ito, the mayor, “but we learned.”",
    "'We lost', Ito said, 'but we learned.'",
    "''We lost,'' Ito, a docker, said — ''but we learned.''",
    '"Well," he told Ana Ruiz, "we learned."',
]
TWO = [
    '"We lost," Ito said. "But we learned."',
    '"We lost." Ito said, "But we learned."',
    '"We lost," Ito said, and "we learned," he added.',
    'He called it "a mess", he said, and "a shame".',
    '"We lost," Ito said; "we learned."',
    '"We lost," he said.\n\n"But we learned," he said.',
    '"We lost," the sign above the long harbour gate, "but we learned."',
]


@pytest.mark.parametrize("raw", ONE)
def test_a_reporting_clause_interrupts_an_utterance(raw: str):
    assert [quote.utterance for quote in find_quotes(raw)] == [0, 0]


@pytest.mark.parametrize("raw", TWO)
def test_other_quotes_are_utterances_of_their_own(raw: str):
    assert [quote.utterance for quote in find_quotes(raw)] == [0, 1]


def test_an_utterance_interrupted_twice_is_one_and_nested_quotes_are_apart():
    raw = '"We lost," Ito said, "as he put it, \'badly\', he said, \'and late\'," he went on to say, "but we learned."'
    quotes = find_quotes(raw)
    assert [(quote.depth, quote.utterance) for quote in quotes] == [(0, 0), (0, 0), (1, 2), (1, 2), (0, 0)]


@pytest.mark.parametrize(
    ("raw", "translated"),
    [
        ("“We lost,” Mr. Ito said in Spanish.", [True]),
        ("Speaking through an interpreter, Ito said, “We lost.”", [True]),
        ("“We lost,” said a note translated from Welsh.", [True]),
        ("“We lost,” Ito wrote in English.", [False]),
        ("“We lost,” Ito said. Her novel appeared in Spanish.", [False]),
        ("“We lost,” Ito said.\n\nA book in Spanish, “Never”, lay there.", [False, False]),
        ("“We lost,” Ito said.\n\nHe said in Spanish that he left. “But we learned.”", [False, False]),
        ("Ruiz said in Arabic: “We lost.” “But we learned,” Ito said.", [True, False]),
        ("The 40 lessons in French were “a success”.", [False]),
    ],
)
def test_a_cue_in_its_sentence_says_that_a_quote_is_translated(raw: str, translated: list[bool]):
    assert ["translated" in quote.flags for quote in find_quotes(raw)] == translated

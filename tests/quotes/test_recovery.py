"""Marks as they are typed, lost and mistaken in real text; every sentence here is invented."""

import pytest

from quotelake.quotes.pairing import MAX_SEGMENTS
from quotelake.quotes.spans import find_quotes


def texts(raw: str, mode: str = "body") -> list[str]:
    return [quote.text for quote in find_quotes(raw, mode)]


@pytest.mark.parametrize(
    "raw",
    [
        "The dogs' owner said the cats' milk wasn't theirs.",
        "'Twas the boys' fault, and 'tis the girls' turn: go get 'em.",
        "In '08 the miners' strike ended; the '60s songs' charm didn't.",
        "O’Neill’s brothers’ boats ’til dawn",
        "Fish 'n' chips at the sailors' inn",
    ],
)
def test_apostrophes_alone_give_no_quote(raw: str):
    assert texts(raw) == []


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (
            "'We lost,' Ito said, 'but the players' union said \"no\" first.'",
            ["We lost,", 'but the players\' union said "no" first.', "no"],
        ),
        ("‘The boats’ crews are safe,’ he said.", ["The boats’ crews are safe,"]),
        ("The 'experts' are late, and the dogs' owner waits.", ["experts"]),
        ("'We were goin' home,' he said.", ["We were goin' home,"]),
        ("'10 dead' in storm", ["10 dead"]),
        ("Dana's 'big plan' fails", ["big plan"]),
    ],
)
def test_single_marks_are_told_from_apostrophes(raw: str, expected: list[str]):
    assert texts(raw) == expected
    assert texts(raw, "headline") == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ('"The 55" screen is too big," she said.', ['The 55" screen is too big,']),
        ('“The 55" screen is too big,” she said.', ['The 55" screen is too big,']),
        ('"We won in 2016" and "we lost in 2018"', ["We won in 2016", "we lost in 2018"]),
    ],
)
def test_inches_do_not_close_a_quote_and_years_do_not_stop_one(raw: str, expected: list[str]):
    assert texts(raw) == expected


def test_like_marks_nest_when_both_are_closed():
    assert texts("“She lived in what she calls “the attic” for years,” he said.") == [
        "She lived in what she calls “the attic” for years,",
        "the attic",
    ]


def test_a_straight_quote_inside_a_curly_one_nests():
    assert texts('“He said "maybe" and left,” she said.') == ['He said "maybe" and left,', "maybe"]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ('"We will go, "he said. "Not now," he added.', ["We will go,", "Not now,"]),
        ('He said," we will go," and went.', ["we will go,"]),
        ("“We will go“ he said.", ["We will go"]),
        ("”Vi går hem”, sade hon.", ["Vi går hem"]),
        ("„Er sagte: “Geh!”, glaube ich“, sagte sie.", ["Er sagte: “Geh!”, glaube ich", "Geh!"]),
        ("»Wir gehen«, sagte er.", ["Wir gehen"]),
        ("« Nous partons », dit-il.", ["Nous partons"]),
    ],
)
def test_marks_out_of_place_or_of_other_lands(raw: str, expected: list[str]):
    assert texts(raw) == expected


def test_a_lost_paragraph_break_still_continues_the_quote():
    (quote,) = find_quotes('"It rained all day. "Then it snowed. "Then it stopped," Kim said.')
    assert quote.joined == "It rained all day. Then it snowed. Then it stopped,"
    assert quote.flags == ("continued",)


def test_a_line_break_continues_like_a_paragraph_break():
    (quote,) = find_quotes("“It rained all day.\n“Then it stopped,” Kim said.")
    assert len(quote.segments) == 2


def test_a_wrapped_line_does_not_end_a_quote():
    assert texts('She said: "It rained\nall day," and left.') == ["It rained\nall day,"]


def test_an_unclosed_quote_ends_with_its_line():
    assert texts("“It rained all day.\nPolice left.\n\nNight fell.") == ["It rained all day."]


def test_an_unclosed_quote_ends_with_the_line_of_the_last_quote_inside_it():
    assert texts("“It rained ‘cats\nand dogs’ all day.\nPolice left.") == [
        "It rained ‘cats\nand dogs’ all day.",
        "cats\nand dogs",
    ]


@pytest.mark.parametrize(
    "raw",
    [
        "“It rained all day.\n\nPolice left.\n\n“It stopped,” Kim said.",  # a paragraph lies between
        "“It rained, Kim told reporters.\n\n“It stopped,” Lee said.",  # somebody said it
        "“It rained. He added:\n\n“It stopped,” and left.",  # a new quote is announced
        '“It rained all day.\n\n"It stopped," Kim said.',  # another mark
    ],
)
def test_what_does_not_continue_is_two_quotes(raw: str):
    first, second = find_quotes(raw)
    assert first.flags == ("unclosed",)
    assert second.text == "It stopped,"
    assert second.flags == ()


def test_a_forgotten_mark_cannot_swallow_an_article():
    quotes = find_quotes("\n\n".join(["“It rained all day."] * 100))
    assert max(len(quote.segments) for quote in quotes) == MAX_SEGMENTS
    assert all(quote.flags == ("continued", "unclosed") for quote in quotes)


def test_values_of_markup_attributes_are_no_quotes():
    assert texts('<a rel="next page" href="here">She said "yes, now" again</a>') == ["yes, now"]


def test_text_read_in_the_wrong_encoding_opens_no_quote():
    assert texts("The mayorâ„¢s plan") == []


@pytest.mark.parametrize("mode", ["body", "headline", "tweet"])
def test_marks_mean_the_same_in_every_mode(mode: str):
    raw = "RT @x: \"We won\" — 'big day' “yes” https://t.example"
    assert texts(raw, mode) == ["We won", "big day", "yes"]


def test_a_paragraph_of_very_many_marks_is_read_in_pieces_without_a_trace():
    sentence = '"We wait," Ana Ruiz said. '
    many = sentence * 5000  # More marks than are looked at together.
    assert texts(many) == ["We wait,"] * 5000
    assert texts(many + "“Gone.\n\n" + sentence) == [*["We wait,"] * 5000, "Gone.", "We wait,"]
    assert texts("'a' " * 4096 + "don't\n\n" + sentence)[-1] == "We wait,"


def test_a_long_text_is_read_in_stretches_without_a_trace():
    paragraph = (
        '“We wait,” Ana Ruiz said, “and ‘mend’ nets.” She said in Spanish: "No."\n\n"It goes on.\n\n"It ends."\n\n'
    )
    alone = find_quotes(paragraph)
    many = find_quotes(paragraph * 200)
    size, count = len(paragraph), len(alone)
    assert len(many) == 200 * count
    for at, quote in enumerate(many):
        shift, base = at // count * size, at // count * count
        one = alone[at % count]
        assert (quote.start - shift, quote.end - shift, quote.kind, quote.flags) == (
            one.start,
            one.end,
            one.kind,
            one.flags,
        )
        assert quote.utterance - base == one.utterance
        assert quote.parent == (None if one.parent is None else one.parent + base)

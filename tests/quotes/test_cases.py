"""The agreed cases: what is found, where, how it nests and what the flags say. The numbers are those of the house."""

import pytest

from quotelake.quotes.spans import Quote, find_quotes


def shown(quote: Quote) -> tuple[str, int, tuple[str, ...]]:
    return quote.text, quote.depth, quote.flags


def span(text: str, depth: int = 0, *flags: str) -> tuple[str, int, tuple[str, ...]]:
    return text, depth, flags


CASES = {
    "1 split by its attribution": (
        '"We lost," Ito said, "but we learned."',
        [span("We lost,"), span("but we learned.")],
    ),
    "2 continued, curly": (
        "“One thing is sure.\n\n“It will rain again.”",
        [span("One thing is sure.\n\n“It will rain again.", 0, "continued")],
    ),
    "3 continued, straight": (
        '"One thing is sure.\n\n"It will rain again."',
        [span('One thing is sure.\n\n"It will rain again.', 0, "continued")],
    ),
    "4 unclosed": ("“He is gone.\n\nPolice left at noon.", [span("He is gone.", 0, "unclosed")]),
    "5 unclosed, not joined": (
        "“He is gone, she said.\n\n“Yes,” Omar replied.",
        [span("He is gone, she said.", 0, "unclosed"), span("Yes,")],
    ),
    "6 nested, curly": (
        "“She told me ‘run now’ twice,” he said.",
        [span("She told me ‘run now’ twice,"), span("run now", 1)],
    ),
    "7 nested, straight": (
        "\"They called it a 'total mess' today.\"",
        [span("They called it a 'total mess' today."), span("total mess", 1)],
    ),
    "8 apostrophes inside": ("“It’s the voters’ choice,” Lee said.", [span("It’s the voters’ choice,")]),
    "13 elisions, curly": ("rock ’n’ roll of the ’90s", []),
    "13 elisions, straight": ("rock 'n' roll of the '90s", []),
    "14 feet and inches": ('A 6\'2" guard and a 55" screen', []),
    "15 mixed marks": ('“Stay calm" she wrote.', [span("Stay calm", 0, "mixed_marks")]),
    "16 doubled apostrophes": ("''We will appeal,'' he said.", [span("We will appeal,")]),
    "16 backquotes": ("``We will appeal,'' he said.", [span("We will appeal,")]),
    "17 character references": (
        "&#8220;Not today&#8221; &quot;Nor ever&quot;",
        [span("Not today"), span("Nor ever")],
    ),
    "18 guillemets": ("«Nous restons», dit-elle.", [span("Nous restons")]),
    "18 arrows": ("» Home » News", []),
    "19 Korean, particle at the mark": ("그는 “끝났다”고 말했다.", [span("끝났다")]),
    "19 Korean, single": ("그는 '끝났다'고 말했다.", [span("끝났다")]),
    "19 corners": ("「終わった」", [span("終わった")]),
    "19 corners nested": ("「彼は『来る』と言った」", [span("彼は『来る』と言った"), span("来る", 1)]),
    "20 German": ("„Wir bleiben“, sagte er.", [span("Wir bleiben")]),
    "24 brackets and ellipsis": (
        "“We [the council] . . . agreed to it.”",
        [span("We [the council] . . . agreed to it.")],
    ),
    "25 in a row": ('"Yes." "No." "Maybe."', [span("Yes."), span("No."), span("Maybe.")]),
    "26 without spaces": ('He said:"Go home now."Then he left.', [span("Go home now.")]),
    "27 spaced marks": ('" We agree , " the aide said', [span("We agree ,")]),
    "28 nothing between": ('""=', []),
    "28 a mark alone": ('"', []),
    "28 empty": ("", []),
    "28 null": (None, []),
    "30 questions and answers": ("Q: Why? A: Because.", []),
    "32 single mark unclosed": ("“Enough,” he says ‘again.", [span("Enough,")]),
    "33 zero-width and no-break spaces": ("“\u200bWe\u00a0won\u200b”", [span("\u200bWe\u00a0won\u200b")]),
    "34 after an emoji": ("🙂 “We won”", [span("We won")]),
}
HEADLINES = {
    "9 possessives inside": ("Minister's plan 'will hurt workers' families'", ["will hurt workers' families"]),
    "10 a year behind": ("Growth 'to slow' in '26", ["to slow"]),
    "11 possessives only": ("Voters' anger grows at farmers' market", []),
}
TWEETS = {
    "29 retweet": ('RT @x: "We won" — @y https://t.example/1', [span("We won", 0, "quote_tweet")]),
    "29 quoted": ('"@x: We won" true', [span("We won", 0, "quote_tweet")]),
    "29 comment before": ('"Never," I say. RT @x: "We won"', [span("Never,"), span("We won", 0, "quote_tweet")]),
    "29 nothing but a name": ('"@x: " true', []),
    "29 an address is no author": ('"@x we won" true', [span("@x we won")]),
}


@pytest.mark.parametrize("name", TWEETS)
def test_tweets(name: str):
    text, expected = TWEETS[name]
    assert [shown(quote) for quote in find_quotes(text, "tweet")] == expected


@pytest.mark.parametrize("name", CASES)
def test_spans_depths_and_flags(name: str):
    text, expected = CASES[name]
    assert [shown(quote) for quote in find_quotes(text)] == expected


@pytest.mark.parametrize("name", HEADLINES)
def test_headlines(name: str):
    text, expected = HEADLINES[name]
    assert [quote.text for quote in find_quotes(text, "headline")] == expected


def test_offsets_are_code_points_of_the_raw_text():
    (quote,) = find_quotes('🙂🙂 " We agree , " ok')
    assert (quote.start, quote.end) == (5, 15)


def test_12_a_colon_claim_is_no_quoted_span():
    (claim,) = find_quotes("Bank chief: We will not cut rates", "headline")
    assert (claim.text, claim.kind, claim.marks) == ("We will not cut rates", "colon_claim", ":")
    assert find_quotes("Bank chief: We will not cut rates", "body") == []


def test_17_offsets_are_those_of_the_raw_text():
    raw = "He said &#8220;Q&amp;A at &eacute;clair &lt;3&#8221; &amp; left."
    (quote,) = find_quotes(raw)
    assert raw[quote.start : quote.end] == quote.text == "Q&amp;A at &eacute;clair &lt;3"
    assert quote.marks == "“”"


@pytest.mark.parametrize("mark", ['"', "“"])
def test_a_continued_quote_has_a_segment_per_paragraph(mark: str):
    close = "”" if mark == "“" else mark
    (quote,) = find_quotes(f"He said: {mark}One thing is sure.\n\n{mark}It will rain again.{close} Then he left.")
    assert [quote.text[start - quote.start : end - quote.start] for start, end in quote.segments] == [
        "One thing is sure.",
        "It will rain again.",
    ]
    assert quote.joined == "One thing is sure. It will rain again."
    assert quote.marks == mark + close


def test_a_child_names_its_parent_and_marks_stand_as_they_are():
    outer, inner, last = find_quotes('“She told me ‘run now’ twice,” he said. "Then?”')
    assert (outer.parent, inner.parent, last.parent) == (None, 0, None)
    assert (outer.marks, inner.marks, last.marks) == ("“”", "‘’", '"”')


def test_an_unclosed_quote_names_its_opening_mark_alone():
    assert [quote.marks for quote in find_quotes("“He is gone.")] == ["“"]


def test_31_a_stray_mark_affects_its_paragraph_only():
    paragraph = 'Rain fell on the harbour. "We wait," Ana Ruiz said, "and we mend nets."'
    clean = "\n\n".join([paragraph] * 1500)
    stray = clean.replace("\n\n", '\n\nA stray" mark stands "here.\n\n', 1)
    shift = len(stray) - len(clean)
    first = len(paragraph)
    expected = [(quote.start, quote.end) for quote in find_quotes(clean)]
    got = [(quote.start, quote.end) for quote in find_quotes(stray)]
    outside = [(start, end) for start, end in got if not first < start < first + shift]
    assert outside == [(s, e) if e <= first else (s + shift, e + shift) for s, e in expected]


def test_an_unknown_mode_is_refused_and_the_three_are_named():
    with pytest.raises(ValueError, match=r"'title'.*body, headline, tweet"):
        find_quotes("x", "title")

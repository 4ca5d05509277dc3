"""What is found in marks as they are typed, lost and mistaken; every sentence here is invented."""

import pytest
from tests.quotes.rows import rows

from quotelake.quotes.marks import MAX_MARKS
from quotelake.quotes.pairing import MAX_SEGMENTS
from quotelake.quotes.spans import MODES, Quote, find_quotes


def shown(quote: Quote) -> str:
    return "> " * quote.depth + quote.text + "".join(f" [{flag}]" for flag in quote.flags)


def texts(raw: str, mode: str = "body") -> list[str]:
    return [quote.text for quote in find_quotes(raw, mode)]


#: Text | each quote, behind a > for each quote around it, and its flags.
BODIES = """
"We lost," Ito said, "but we learned." | We lost, | but we learned.
“One thing is sure.¶“It will rain again.” | One thing is sure.¶“It will rain again. [continued]
"One thing is sure.¶"It will rain again." | One thing is sure.¶"It will rain again. [continued]
“He is gone.¶Police left at noon. | He is gone. [unclosed]
“He is gone, she said.¶“Yes,” Omar replied. | He is gone, she said. [unclosed] | Yes,
“She told me ‘run now’ twice,” he said. | She told me ‘run now’ twice, | > run now
"They called it a 'total mess' today." | They called it a 'total mess' today. | > total mess
“It’s the voters’ choice,” Lee said. | It’s the voters’ choice,
rock ’n’ roll of the ’90s
rock 'n' roll of the '90s
A 6'2" guard and a 55" screen
“Stay calm" she wrote. | Stay calm [mixed_marks]
''We will appeal,'' he said. | We will appeal,
``We will appeal,'' he said. | We will appeal,
&#8220;Not today&#8221; &quot;Nor ever&quot; | Not today | Nor ever
» Home » News
그는 “끝났다”고 말했다. | 끝났다
그는 '끝났다'고 말했다. | 끝났다
「終わった」 | 終わった
「彼は『来る』と言った」 | 彼は『来る』と言った | > 来る
“We [the council] . . . agreed to it.” | We [the council] . . . agreed to it.
"Yes." "No." "Maybe." | Yes. | No. | Maybe.
He said:"Go home now."Then he left. | Go home now.
" We agree , " the aide said | We agree ,
""=
"
“Enough,” he says ‘again. | Enough,
“The 55" screen is too big,” she said. | The 55" screen is too big,
"We won in 2016" and "we lost in 2018" | We won in 2016 | we lost in 2018
"We will go, "he said. "Not now," he added. | We will go, | Not now,
“We will go“ he said. | We will go [mixed_marks]
”Vi går hem”, sade hon. | Vi går hem
„Er sagte: “Geh!”, glaube ich“, sagte sie. | Er sagte: “Geh!”, glaube ich | > Geh!
»Wir gehen«, sagte er. | Wir gehen
« Nous partons », dit-il. | Nous partons
“She lived in “the attic” for years,” he said. | She lived in “the attic” for years, | > the attic
“He said "maybe" and left,” she said. | He said "maybe" and left, | > maybe
“It rained all day.⏎“Then it stopped,” Kim said. | It rained all day.⏎“Then it stopped, [continued]
She said: "It rained⏎all day," and left. | It rained⏎all day,
“It rained all day.⏎Police left.¶Night fell. | It rained all day. [unclosed]
<a rel="next page" href="here">She said "yes, now" again</a> | yes, now
The mayorâ„¢s plan
"It rained. "Then it snowed. "Then it stopped," Kim said. | It rained. "Then it snowed. "Then it stopped, [continued]
"""
#: Not continued: a paragraph lies between; somebody said it; a new quote is announced; another mark.
UNCLOSED = """
“It rained all day.¶Police left.¶“It stopped,” Kim said. | It rained all day. [unclosed] | It stopped,
“It rained, Kim told reporters.¶“It stopped,” Lee said. | It rained, Kim told reporters. [unclosed] | It stopped,
“It rained. He added:¶“It stopped,” and left. | It rained. He added: [unclosed] | It stopped,
“It rained all day.¶"It stopped," Kim said. | It rained all day. [unclosed] | It stopped,
"""
#: Single marks are told from apostrophes, in headlines too.
SINGLE = """
The dogs' owner said the cats' milk wasn't theirs.
'Twas the boys' fault, and 'tis the girls' turn: go get 'em.
In '08 the miners' strike ended; the '60s songs' charm didn't.
O’Neill’s brothers’ boats ’til dawn
Fish 'n' chips at the sailors' inn
‘The boats’ crews are safe,’ he said. | The boats’ crews are safe,
The 'experts' are late, and the dogs' owner waits. | experts
'We were goin' home,' he said. | We were goin' home,
'10 dead' in storm | 10 dead
'We lost,' Ito said, 'but the crews' union said "no" first.' | We lost, | but the crews' union said "no" first. | > no
Minister's plan 'will hurt workers' families' | will hurt workers' families
Growth 'to slow' in '26 | to slow
Voters' anger grows at farmers' market
"""
TWEETS = """
RT @x: "We won" — @y https://t.example/1 | We won [quote_tweet]
"@x: We won" true | We won [quote_tweet]
"Never," I say. RT @x: "We won" | Never, | We won [quote_tweet]
"@x: " true
"@x we won" true | @x we won
"""
TABLES = (("body", BODIES), ("body", UNCLOSED), ("body", SINGLE), ("headline", SINGLE), ("tweet", TWEETS))


@pytest.mark.parametrize(("mode", "row"), [(mode, row) for mode, table in TABLES for row in rows(table)])
def test_spans_depths_and_flags(mode: str, row: list[str]):
    text, *expected = row
    assert [shown(quote) for quote in find_quotes(text, mode)] == expected


def test_nothing_has_no_quotes_and_marks_mean_the_same_in_every_mode():
    assert find_quotes("") == find_quotes(None) == []
    for mode in MODES:
        raw = "RT @x: \"We won\" — 'big day' “\u200byes\u00a0it is” https://t.example"
        assert texts(raw, mode) == ["We won", "big day", "\u200byes\u00a0it is"]


def test_offsets_are_code_points_of_the_raw_text():
    (quote,) = find_quotes('🙂🙂 " We agree , " ok')
    assert (quote.start, quote.end) == (5, 15)
    raw = "He said &#8220;Q&amp;A at &eacute;clair &lt;3&#8221; &amp; left."
    (quote,) = find_quotes(raw)
    assert raw[quote.start : quote.end] == quote.text == "Q&amp;A at &eacute;clair &lt;3"
    assert quote.marks == "“”"


@pytest.mark.parametrize(("mark", "between"), [('"', "\n\n"), ("“", "\n\n"), ('"', " ")])  # the break may be lost
def test_a_continued_quote_has_a_segment_per_paragraph(mark: str, between: str):
    close = "”" if mark == "“" else mark
    (quote,) = find_quotes(f"He said: {mark}One thing is sure.{between}{mark}It will rain again.{close} Then he left.")
    parts = [quote.text[start - quote.start : end - quote.start] for start, end in quote.segments]
    assert parts == ["One thing is sure.", "It will rain again."]
    assert quote.joined == "One thing is sure. It will rain again."
    assert quote.marks == mark + close


def test_a_child_names_its_parent_and_marks_stand_as_they_are():
    outer, inner, last = find_quotes('“She told me ‘run now’ twice,” he said. "Then?')
    assert (outer.parent, inner.parent, last.parent) == (None, 0, None)
    assert (outer.marks, inner.marks, last.marks) == ("“”", "‘’", '"'), "an unclosed quote has one mark"


def test_a_stray_mark_affects_its_paragraph_only():
    paragraph = 'Rain fell on the harbour. "We wait," Ana Ruiz said, "and we mend nets."'
    clean = "\n\n".join([paragraph] * 1500)
    stray = clean.replace("\n\n", '\n\nA stray" mark stands "here.\n\n', 1)
    shift = len(stray) - len(clean)
    first = len(paragraph)
    expected = [(quote.start, quote.end) for quote in find_quotes(clean)]
    got = [(quote.start, quote.end) for quote in find_quotes(stray)]
    outside = [(start, end) for start, end in got if not first < start < first + shift]
    assert outside == [(s, e) if e <= first else (s + shift, e + shift) for s, e in expected]


def test_a_forgotten_mark_cannot_swallow_an_article():
    quotes = find_quotes("\n\n".join(["“It rained all day."] * 100))
    assert max(len(quote.segments) for quote in quotes) == MAX_SEGMENTS
    assert all(quote.flags == ("continued", "unclosed") for quote in quotes)


def test_of_a_text_of_very_many_marks_only_the_first_are_read():
    assert len(find_quotes('"We wait," ' * MAX_MARKS)) == MAX_MARKS // 2
    assert [one.flags for one in find_quotes("“A ” " * MAX_MARKS)[-2:]] == [(), ()]


def test_a_paragraph_of_many_marks_is_read_as_any_other():
    sentence = '"We wait," Ana Ruiz said. '
    many = sentence * 5000
    assert texts(many) == ["We wait,"] * 5000
    assert texts(many + "“Gone.\n\n" + sentence) == [*["We wait,"] * 5000, "Gone.", "We wait,"]
    assert texts("'a' " * 4096 + "don't\n\n" + sentence)[-1] == "We wait,"


def test_an_unknown_mode_is_refused_and_the_three_are_named():
    with pytest.raises(ValueError, match=r"'title'.*body, headline, tweet"):
        find_quotes("x", "title")


ONE = """
"We lost," Ito said, "but we learned."
“We lost,” said Mr. Ito, the mayor, “but we learned.”
'We lost', Ito said, 'but we learned.'
''We lost,'' Ito, a docker, said — ''but we learned.''
"Well," he told Ana Ruiz, "we learned."
"""
TWO = """
"We lost," Ito said. "But we learned."
"We lost." Ito said, "But we learned."
"We lost," Ito said, and "we learned," he added.
He called it "a mess", he said, and "a shame".
"We lost," Ito said; "we learned."
"We lost," he said.¶"But we learned," he said.
"We lost," the sign above the long harbour gate, "but we learned."
"""


@pytest.mark.parametrize(
    ("raw", "second"), [(raw, second) for second, table in enumerate((ONE, TWO)) for (raw,) in rows(table)]
)
def test_a_reporting_clause_interrupts_an_utterance(raw: str, second: int):
    assert [quote.utterance for quote in find_quotes(raw)] == [0, second]


def test_an_utterance_interrupted_twice_is_one_and_nested_quotes_are_apart():
    raw = '"We lost," Ito said, "as he put it, \'badly\', he said, \'and late\'," he went on to say, "but we learned."'
    quotes = find_quotes(raw)
    assert [(quote.depth, quote.utterance) for quote in quotes] == [(0, 0), (0, 0), (1, 2), (1, 2), (0, 0)]


#: Text with a cue, and whether each of its quotes is translated.
TRANSLATED = """
“We lost,” Mr. Ito said in Spanish. | yes
Speaking through an interpreter, Ito said, “We lost.” | yes
“We lost,” said a note translated from Welsh. | yes
“We lost,” Ito wrote in English. | no
“We lost,” Ito said. Her novel appeared in Spanish. | no
“We lost,” Ito said.¶A book in Spanish, “Never”, lay there. | no no
“We lost,” Ito said.¶He said in Spanish that he left. “But we learned.” | no no
Ruiz said in Arabic: “We lost.” “But we learned,” Ito said. | yes no
The 40 lessons in French were “a success”. | no
"""


@pytest.mark.parametrize(("raw", "expected"), rows(TRANSLATED))
def test_a_cue_in_its_sentence_says_that_a_quote_is_translated(raw: str, expected: str):
    assert ["translated" in quote.flags for quote in find_quotes(raw)] == [word == "yes" for word in expected.split()]

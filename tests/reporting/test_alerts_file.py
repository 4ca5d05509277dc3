"""The file beside the page holds the same alerts, and no cell that a spreadsheet would run."""

import csv
import io
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tests.reporting.pages import BASE, REVIEW, RISKY

from quotelake.files.csv_files import original_text
from quotelake.reporting.marking import visible
from quotelake.reporting.page import COLUMNS, alerts_csv


def rows_of(text: str) -> list[dict[str, str]]:
    assert text.startswith("\ufeff"), "the mark tells spreadsheets that the file is UTF-8"
    return list(csv.DictReader(io.StringIO(text[1:], newline="")))


def test_rows_stand_in_the_order_of_the_page_with_what_it_says():
    first, second = rows_of(alerts_csv([BASE, replace(RISKY, reviews=(REVIEW, replace(REVIEW, label="false")))]))
    assert tuple(first) == COLUMNS
    assert (first["is_new"], first["score"], first["reviews"]) == ("yes", "0.87", "")
    assert (second["is_new"], second["score"], second["reviews"]) == ("no", "", "right (ann); wrong (ann)")
    assert first["passage"] == "… spoke. “Farmers feed this city,” said Ana Reyes. It rained."


@given(st.text(max_size=40) | st.sampled_from(["=1+1", "-1", "@a", "\t=", "\ud800"]))
def test_whatever_stands_in_an_article_is_shown_and_not_run(text: str):
    hostile = replace(BASE, headline=text, headline_quote=text, outlet=text, url=text, best_body_quote=text)
    [row] = rows_of(alerts_csv([hostile]))
    for name in ("headline", "headline_quote", "outlet", "url", "best_body_quote"):
        assert not row[name].startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
        assert original_text(row[name]) == original_text(visible(text))

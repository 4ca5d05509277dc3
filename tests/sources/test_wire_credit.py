"""The agency a text is credited to, on what articles begin and end with."""

import pytest

from quotelake.sources.wire_credit import wire_credit_of

TEXT = "The bridge opened on Monday.\n\nThe mayor said it was late."


@pytest.mark.parametrize(
    ("body", "byline", "outlet", "expected"),
    [
        (TEXT, None, "A", None),
        (f"LONDON (Reuters) - {TEXT}", None, "A", "Reuters"),
        (f"A caption.\n\nNEW YORK, N.Y. (AP) — {TEXT}", None, "A", "Associated Press"),
        (f"Paris (AFP) – {TEXT}", None, "A", "AFP"),
        (f"Berlin (dpa/AFP) - {TEXT}", None, "A", "dpa"),
        (f"(Reuters) - {TEXT}", None, "A", "Reuters"),
        (f"(서울=연합뉴스) 홍 기자 = {TEXT}", None, "A", "Yonhap"),
        (f"PORT SABLE (Union Wire) - {TEXT}", None, "A", "Union Wire"),
        (f"PORT SABLE, Westmark (Union Wire) — {TEXT}", None, "A", "Union Wire"),
        (f"The plan (Union Plan) - {TEXT}", None, "A", None),
        (f"SEN. DOE (R-Texas) - {TEXT}", None, "A", None),
        (f"WASHINGTON (CNN) -- {TEXT}", None, "CNN", None),  # its own
        (f"LONDON (Reuters) - {TEXT}", None, "Reuters", None),
        (f"LONDON (Reuters) - {TEXT}", None, "Reuters Breakingviews", None),
        (f"LONDON (AP) - {TEXT}", None, "The Associated Press", None),
        (TEXT, "Union Wire", "A", "Union Wire"),
        (TEXT, "By The Associated Press", "A", "Associated Press"),
        (TEXT, "Reuters Staff", "A", "Reuters"),
        (TEXT, "By JANE ROE, Associated Press", "A", "Associated Press"),
        (TEXT, "Jane Roe, Associated Press, John Doe, Staff", "A", None),  # gathered from the page
        (TEXT, "Jane Roe", "A", None),
        (f"{TEXT}\n\n— AP", None, "A", "Associated Press"),
        (f"{TEXT} (ANI)", None, "A", "ANI"),
        (f"{TEXT}\n\nSource: Reuters", None, "A", "Reuters"),
        (f"{TEXT}\n\nCopyright 2013 The Associated Press. All rights reserved.", None, "A", "Associated Press"),
        (f"{TEXT}\n\n(Reporting by Jane Roe; Editing by John Doe)", None, "A", "Reuters"),
        (f"{TEXT}\n\nThe Associated Press contributed to this report.", None, "A", None),
        (f"{TEXT}\n\nReuters reported the delay first.", None, "A", None),
        (f"{TEXT}\n\nPhoto: Jane Roe", None, "A", None),
    ],
)
def test_wire_credit(body: str, byline: str | None, outlet: str, expected: str | None):
    assert wire_credit_of(body, byline, outlet) == expected

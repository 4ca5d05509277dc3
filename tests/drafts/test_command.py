"""``check --text``: its three outputs say the same, its exit status tells whether to look, and texts stay texts."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.query.lakes import make_lake, use
from tests.running import Done

from quotelake import check_text
from quotelake.commands.check_text import render
from quotelake.drafts.office import office_text
from quotelake.errors import InputError
from quotelake.reader.answers import Reading

TALK = "RUIZ: If the council agrees, we will rebuild the pier by May.\nBELL: It is a <b>disgrace</b> to us all.\n"
FAIR = "“If the council agrees, we will rebuild the pier by May,” Ruiz said."
DRAFT = f"# A draft\n\n{FAIR}\n\n“We will rebuild the pier by May,” said Ruiz.\n\n> Nobody ever took the gold.\n"

Check = Callable[..., Done]


@pytest.fixture
def check(run_job: Callable[..., Done], tmp_path: Path) -> Check:
    """Run the job on a draft and the talk: ``check(draft, *arguments)``."""
    (tmp_path / "talk.txt").write_text(TALK, "utf-8")

    def run(draft: str, *arguments: object, name: str = "draft.md") -> Done:
        (tmp_path / name).write_text(draft, "utf-8")
        return run_job("check", "--text", tmp_path / name, *(arguments or ("--sources", tmp_path / "talk.txt")))

    return run


def test_the_exit_status_tells_whether_there_is_something_to_look_at(check: Check):
    assert [check(text).code for text in (FAIR, "Nothing “bold” here.", "No quotation.", DRAFT)] == [0, 0, 0, 3]


def test_the_terminal_shows_both_sides_with_marks_and_places(check: Check):
    out = check(DRAFT).out
    assert re.search(r"line 3: verbatim\n  .*talk\.txt, line 1, RUIZ\n", out)
    assert "line 5: excerpt  TO LOOK AT: condition lost\n  condition lost: “If the council agrees” in the source" in out
    assert "source  RUIZ: [!If the council agrees!], we will rebuild the pier by May." in out
    assert "line 7: in no source  TO LOOK AT\n" in out
    assert out.endswith("3 quotations: 2 to look at, 0 left alone, the others stand in a source as written\n")


def test_json_has_the_places_of_both_sides(check: Check, tmp_path: Path):
    found = json.loads(check(FAIR + DRAFT, "--sources", tmp_path / "talk.txt", "--json", name="a.txt").out)
    assert (found["text"], found["sources"]) == (str(tmp_path / "a.txt"), [str(tmp_path / "talk.txt")])
    for each in found["quotes"]:
        assert (FAIR + DRAFT)[each["start"] : each["end"]] == each["text"]
    lost = found["quotes"][2]
    assert (lost["line"], lost["outcome"], lost["alert"], lost["is_flagged"]) == (5, "excerpt", "condition", True)
    assert [(each["kind"], each["said"]) for each in lost["differences"]] == [("condition", "If the council agrees")]
    source = lost["source"]
    assert TALK[source["start"] : source["end"]] == "we will rebuild the pier by May"
    assert [source["passage"][start:end] for start, end in source["omitted"]] == ["If the council agrees"]


def test_sources_are_files_folders_and_patterns_also_of_word_and_pdf(check: Check, tmp_path: Path):
    docx = pytest.importorskip("docx", reason="the packages of quotelake[office] are not installed")
    folder = tmp_path / "sources"
    (folder / "inner").mkdir(parents=True)
    document = docx.Document()
    for line in TALK.splitlines():
        document.add_paragraph(line)
    document.save(str(folder / "inner" / "talk.docx"))
    (folder / "other.vtt").write_text("WEBVTT\n\n00:01.000 --> 00:02.000\nIt rained.\n", "utf-8")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    for given in (folder, folder / "inner", folder / "**" / "*.docx", folder / "inner" / "talk.docx"):
        assert check(FAIR, "--sources", given).code == 0, given
    assert check(FAIR, "--sources", folder / "other.vtt").code == 3
    none = check(FAIR, "--sources", folder / "*.md")
    assert none.code == 2 and "no file of a text" in none.error


@pytest.mark.parametrize("name", ["a.docx", "a.pdf"])
def test_a_damaged_file_of_an_office_is_named(check: Check, tmp_path: Path, name: str):
    pytest.importorskip("pypdf", reason="the packages of quotelake[office] are not installed")
    (tmp_path / name).write_bytes(b"PK\x03\x04 damaged")
    done = check(FAIR, "--sources", tmp_path / name)
    assert done.code == 2 and name in done.error and "can be read" in done.error


def test_a_page_of_pdf_is_a_source(tmp_path: Path):
    pypdf = pytest.importorskip("pypdf", reason="the packages of quotelake[office] are not installed")
    assert (
        office_text(pdf("We will rebuild the pier by May."), ".pdf", "a.pdf").strip()
        == "We will rebuild the pier by May."
    )
    with pytest.raises(InputError, match="scanned"):
        office_text(pdf(""), ".pdf", "a.pdf")
    assert pypdf is not None


def pdf(text: str) -> bytes:
    """A file of one page, written by hand: the fewest objects that PDF 1.4 needs."""
    stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    data, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % len(data)
    return data + b"xref\n0 6\n0000000000 65535 f \n" + table + end


class Read(HTMLParser):
    """The elements of a page, and the text that it shows."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags, self.shown = list[str](), ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.shown += data


def test_the_page_is_self_contained_and_shows_texts_as_they_are(check: Check, tmp_path: Path):
    out = tmp_path / "out.html"
    check("“It is a <b>disgrace</b> for us all,” said Bell. “We \u202ewon the <i>cup</i> and the cake,” Bell said.",
          "--sources", tmp_path / "talk.txt", "--html", out, name="<img>.txt")  # fmt: skip
    page = out.read_text("utf-8")
    read = Read(page)
    assert {"b", "i", "img", "script", "link"}.isdisjoint(read.tags) and "src=" not in page and "href=" not in page
    assert "It is a <b>disgrace</b> to us all." in read.shown and "<img>.txt" in read.shown
    assert "[U+202E]won the <i>cup</i>" in read.shown
    assert read.tags.count("article") == 2 and "in no source" in read.shown
    assert "default-src &#39;none&#39;" in page


def test_the_page_has_what_a_model_says_of_a_quotation_as_text():
    [one] = check_text("“We will rebuild the pier by May,” said Ruiz.", [TALK])
    reading = Reading("read", verdict="misleading", words=("If the council agrees",), sentence="It is <b>bound</b>.")
    page = Read(render([replace(one, reading=reading)], "draft.md", ["talk.txt"]))
    assert "the reader read this article and says: misleading; It is <b>bound</b>.;" in page.shown
    assert "b" not in page.tags


def test_the_text_may_come_from_the_input(run_job: Callable[..., Done], tmp_path: Path):
    (tmp_path / "talk.txt").write_text(TALK, "utf-8")
    done = run_job("check", "--text", "-", "--sources", tmp_path / "talk.txt", stdin=FAIR.encode())
    assert (done.code, done.error) == (0, "")


def test_an_article_of_a_lake_may_be_the_source(check: Check, tmp_path: Path):
    lake = make_lake(tmp_path / "lake", [use("Nobody knows the price of bread", headline="Bread")])
    text = "“Nobody knows the price of bread,” said Bell. “Everybody hates the taste of the sea,” Bell said."
    for arguments in (("--lake", lake), ("--sources", tmp_path / "talk.txt", "--lake", lake)):
        done = check(text, *arguments)
        assert done.code == 3
        assert "line 1: verbatim\n  Harrow Ledger, 2024-06-01, Bread, line 1, He\n" in done.out
        assert done.out.count("in no source") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--text", "a.md"], "give --sources FILE, --lake DIR or both"),
        (["--text", "a.md", "--sources", "none.txt"], "--sources none.txt: No such file"),
        (["--text", "a.md", "--sources", "bytes.txt"], "byte 0 is not UTF-8"),
        (["--text", "empty.html", "--sources", "a.md"], "--text empty.html: holds no text between its markup"),
        (["--text", "a.md", "--sources", "a.md", "--headline", "“A”"], "leave --headline and --body out"),
        (["--text", "a.md", "--lake", "nowhere"], "nowhere"),
        (["--text", "a.md", "--lake", "s3a://bucket/lake"], "--lake s3a://bucket/lake is an address"),
        (["--headline", "“A”", "--body", "a.md", "--sources", "a.md"], "--sources goes with --text"),
        (["--headline", "“A”"], "give --headline TEXT and --body FILE, or --text FILE"),
    ],
)
def test_a_mistake_is_one_message_and_exit_2(
    run_job: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
):
    monkeypatch.chdir(tmp_path)
    Path("a.md").write_text("“We won,” he said.", "utf-8")
    Path("empty.html").write_text("<p> </p>", "utf-8")
    Path("bytes.txt").write_bytes(b"\xff\xfe")
    done = run_job("check", *arguments)
    assert (done.code, done.out, done.error.count("\n")) == (2, "", 1)
    assert message in done.error

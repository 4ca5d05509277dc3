"""The server of agents, tried by the client of the same SDK: what it offers, and what it refuses."""

import json
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.query.lakes import make_lake, use

import quotelake
from quotelake.lake.contracts import table_names
from quotelake.query.catalog import view_names

mcp = pytest.importorskip("mcp", reason="the SDK is not installed: pip install 'quotelake[mcp]'")

from quotelake.commands.mcp import MOST_CHARACTERS, MOST_ROWS, make_server  # noqa: E402

QUOTE = "We will rebuild the old pier before the summer"
DRAFT = "“We will rebuild the pier,” said Ana Ruiz."
TALK = "RUIZ: If the council agrees, we will rebuild the pier."


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_lake(
        tmp_path_factory.mktemp("mcp"), [use(QUOTE), use(QUOTE, headline="Another"), use("No, never again")]
    )


def call(lake: Path, tool: str, **arguments: Any) -> Any:
    """What a tool answers, or the text of its error."""

    async def ask() -> Any:
        async with mcp.Client(make_server(str(lake))) as client:
            return await client.call_tool(tool, arguments)

    result = anyio.run(ask)
    [content] = result.content
    return content.text if result.is_error else json.loads(content.text)


def test_the_tools_answer_as_the_library_does(lake: Path):
    found = call(lake, "find_quotes", text=DRAFT)
    assert [row["text"] for row in found["rows"]] == ["We will rebuild the pier,"] and not found["more"]
    assert found["rows"][0]["speaker"]["text"] == "Ana Ruiz"
    [judged] = call(lake, "check_headline", headline="Bell: “We can win”", body="“I doubt we can win,” said Bell.")[
        "rows"
    ]
    [same] = quotelake.check_article("Bell: “We can win”", "“I doubt we can win,” said Bell.")
    assert (judged["outcome"], judged["alert"]) == (same.outcome, same.alert) != (None, None)
    [checked] = call(lake, "check_text", text=DRAFT, sources=[TALK])["rows"]
    assert checked["alert"] == "condition" and checked["source"]["passage"] == TALK
    [known, *_] = call(lake, "lookup", text=QUOTE)["rows"]
    assert (known["uses"], known["how"]) == (2, "same")


def test_a_query_reads_and_nothing_else_and_its_answer_is_bounded(lake: Path):
    assert call(lake, "query", sql="SELECT count(*) AS n FROM quotes") == {"rows": [{"n": 3}], "more": False}
    many = call(lake, "query", sql="SELECT i FROM range(100000) t(i)")
    assert len(many["rows"]) == MOST_ROWS and many["more"]
    long = call(lake, "query", sql=f"SELECT repeat('x', {MOST_CHARACTERS // 3}) AS text FROM range(9)")
    assert len(long["rows"]) == 2 and long["more"]
    for statement, said in [
        ("DELETE FROM quotes", "changes nothing"),
        ("SELECT * FROM read_text('/etc/passwd')", "disabled"),
        ("COPY quotes TO '/tmp/x.csv'", "changes nothing"),
        ("SELECT * FROM quots", "did you mean quotes"),
    ]:
        answer = call(lake, "query", sql=statement)
        assert isinstance(answer, str) and said in answer, (statement, answer)


def test_descriptions_are_those_of_the_schemas(lake: Path):
    async def ask() -> Any:
        async with mcp.Client(make_server(str(lake))) as client:
            return await client.list_tools()

    tools = {tool.name: tool for tool in anyio.run(ask).tools}
    assert sorted(tools) == ["check_headline", "check_text", "find_quotes", "lookup", "query"]
    assert all(tool.description for tool in tools.values())
    listed = {line.partition(":")[0] for line in tools["query"].description.splitlines()[1:]}
    assert listed == {*table_names(), *view_names()}
    [first, *_] = call(lake, "query", sql="\\d headline_alerts")["rows"]
    assert set(first) == {"column", "type", "what it holds"} and first["what it holds"]
    assert "did you mean" in call(lake, "query", sql="\\d headline_alert")


def test_a_missing_lake_is_named_and_texts_need_none(tmp_path: Path):
    assert call(tmp_path / "none", "find_quotes", text=DRAFT)["rows"]
    assert str(tmp_path / "none") in call(tmp_path / "none", "query", sql="SELECT 1")


@pytest.mark.process
def test_it_speaks_on_standard_input_and_output_and_prints_nothing_else(lake: Path):
    async def ask() -> Any:
        started = mcp.StdioServerParameters(
            command=sys.executable, args=["-m", "quotelake", "mcp", "--lake", str(lake)]
        )
        async with mcp.Client(mcp.stdio_client(started)) as client:
            return await client.call_tool("query", {"sql": "SELECT count(*) AS n FROM quotes"})

    assert json.loads(anyio.run(ask).content[0].text)["rows"] == [{"n": 3}]

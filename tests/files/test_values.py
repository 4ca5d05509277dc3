"""A value is found by name, path, fallback or template, and a condition says what it says."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.files.values import Wanted, as_text, condition, getter, names_in

RECORD = {
    "id": 7, "empty": "", "a.b": "whole", "a": {"b": "inner", "c": [{"t": "x", "id": 1}, {"t": "y", "id": 2}]},
    "parts": [{"p": ["one", "two"]}, {"p": "three"}, {}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("id", 7),
        ("a.b", "whole"),
        ("a.c.0.id", 1),
        ("a.c.9.id", None),
        ("a.c.t=y.id", 2),
        ("a.c.t=z.id", None),
        ("parts.*.p", ["one", "two", "three"]),
        ("parts.*.q", None),
        ("id.x", None),
        (("none", "empty", "id"), 7),
        (("none", "empty"), None),
        ("n{id}/{a.c.0.t}", "n7/x"),
        ("{id}/{none}", "7/"),
        ("{none}{empty}", None),
        (("{none}", "id"), 7),
    ],
)
def test_where_a_value_is_found(name: Any, value: object):
    assert getter(name)(RECORD) == value


def test_an_id_lacks_no_part():
    assert getter("{id}/{none}", whole=True)(RECORD) is None
    assert getter("{id}/{a.b}", whole=True)(RECORD) == "7/whole"


@pytest.mark.parametrize("name", ["{", "a}", "{a}}", "{{a}", "{}", ("a", "{b")])
def test_braces_that_enclose_no_name_are_an_error(name: Any):
    with pytest.raises(ValueError, match="braces"):
        getter(name)


@pytest.mark.parametrize(
    ("where", "holds"),
    [
        ({"lang": "en"}, True),
        ({"lang": ("de", "en")}, True),
        ({"lang": "de"}, False),
        ({"n": 3}, True),
        ({"n": "3"}, True),
        ({"langs": "fr"}, True),
        ({"lang": True, "no": False, "null": False}, True),
        ({"off": False, "text_off": False, "zero": False}, True),
        ({"off": True}, False),
        ({"word": True}, True),
        ({"lang": "en", "n": 4}, False),
        ({"{lang}{no}": True}, True),
        ({}, True),
    ],
)
def test_conditions(where: dict[str, Wanted], holds: bool):
    record = {
        "lang": "en", "n": 3, "langs": ["fr", "en"], "null": None, "off": False, "text_off": "False", "zero": 0,
        "word": "no",
    }  # fmt: skip
    assert condition(where)(record) is holds


@given(st.dictionaries(st.sampled_from("abc"), st.none() | st.booleans() | st.integers() | st.text(max_size=3)))
def test_a_value_is_there_or_not(record: dict[str, Any]):
    for name in "abc":
        assert condition({name: True})(record) is not condition({name: False})(record)
        if as_text(record.get(name)) is not None and not isinstance(record[name], bool):
            assert condition({name: record[name]})(record)


def test_values_as_text():
    values = [True, 12.0, 1.5, ["a", None], {"b": 1}, float("nan"), None, ""]
    assert list(map(as_text, values)) == ["true", "12", "1.5", '["a", null]', '{"b": 1}', None, None, ""]


def test_all_names_are_known():
    assert names_in(("x", "{a} and {b.c}")) == {"x", "a", "b.c"}

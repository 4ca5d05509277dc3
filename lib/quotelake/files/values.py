"""Values of a record: by a field's name, a path into it, a list of fields, or a text made of fields. Pure."""

import json
import math
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

#: How settings name a value: a field or template, or several of which the first that has a value counts.
Name = str | tuple[str, ...]
#: What settings state of a value: a value, several, or whether there is one.
Wanted = bool | int | float | str | tuple[int | float | str, ...]

_FIELD: Final = re.compile(r"\{([^{}]++)\}")
_UNSET: Final = frozenset(("", "0", "false", "null"))
#: Integers up to here are exact as floats.
EXACT: Final = 2**53


@cache
def getter(name: Name, *, whole: bool = False) -> Callable[[Mapping[str, Any]], Any]:
    """Make the function that finds a value in a record, and gives None where there is none.

    ``user.id`` is looked up as one name first, then as ``id`` in ``user``. In a list a number is an item, ``*`` all
    items, and ``type=quoted`` the first item whose ``type`` is ``quoted``. Of several names the first counts whose
    value is not empty. In a template braces enclose names: ``{did}/{rkey}``; missing values are empty in it, and there
    is no text where all are missing or, if ``whole``, where any is.

    Raises:
        ValueError: the braces of a template enclose no names.

    >>> getter("tweets.type=quoted.id")({"tweets": [{"type": "reply", "id": 1}, {"type": "quoted", "id": 2}]})
    2
    >>> getter(("full", "{a}:{b}"))({"full": "", "a": 1})
    '1:'
    """
    if isinstance(name, tuple):
        getters = [getter(each, whole=whole) for each in name]
        return lambda record: next((v for get in getters if (v := get(record)) is not None and v != ""), None)
    if "{" in name or "}" in name:
        return _template(name, whole)
    if "." not in name:
        return lambda record: record.get(name)
    parts = tuple(name.split("."))
    return lambda record: record[name] if name in record else _at(record, parts)


def _template(name: str, whole: bool) -> Callable[[Mapping[str, Any]], Any]:
    literal, *pieces = _FIELD.split(name)
    if any(brace in text for text in (literal, *pieces[1::2]) for brace in "{}"):
        raise ValueError(f"{name!r}: braces must enclose the name of a field, as in '{{user.id}}/{{id}}'")
    fields = [(getter(field), text) for field, text in zip(pieces[::2], pieces[1::2], strict=True)]

    def filled(record: Mapping[str, Any]) -> str | None:
        values = [(as_text(get(record)) or "", text) for get, text in fields]
        if not (all if whole else any)(value for value, _ in values):
            return None
        return (literal + "".join(value + text for value, text in values)).strip()

    return filled


def _at(value: Any, parts: tuple[str, ...]) -> Any:
    for place, part in enumerate(parts):
        if isinstance(value, Mapping):
            value = value.get(part)
        elif not isinstance(value, list | tuple):
            return None
        elif part == "*":
            found = [_at(each, parts[place + 1 :]) for each in value]
            flat = [one for each in found for one in (each if isinstance(each, list) else [each])]
            return [one for one in flat if one is not None] or None
        else:
            value = _item(value, part)
    return value


def _item(items: list[Any] | tuple[Any, ...], part: str) -> Any:
    field, sign, wanted = part.partition("=")
    if sign:
        return next((each for each in items if isinstance(each, Mapping) and as_text(each.get(field)) == wanted), None)
    return items[int(part)] if part.isdecimal() and int(part) < len(items) else None


def names_in(name: Name) -> set[str]:
    """Names of all fields that a name is made of: of a template those in its braces."""
    if isinstance(name, tuple):
        return {each for part in name for each in names_in(part)}
    return set(_FIELD.findall(name)) or {name}


def field_name(name: Name) -> str:
    """A name as a message has it: ``full or text``."""
    return name if isinstance(name, str) else " or ".join(name)


def as_text(value: Any) -> str | None:
    """A value as text: numbers as digits, true and false, lists and objects as JSON; None for None and NaN."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        value = int(value) if value.is_integer() and abs(value) < EXACT else value
    return str(value) if type(value) in (int, float) else json.dumps(value, ensure_ascii=False, default=str)


def is_set(value: Any) -> bool:
    """False for a missing or empty value, false, 0, NaN, and the texts 0, false and null; else True."""
    if isinstance(value, str):
        return value.strip().casefold() not in _UNSET
    return bool(value) and value == value


def condition(where: Mapping[str, Wanted]) -> Callable[[Mapping[str, Any]], bool]:
    """Make the function that decides whether a record meets all conditions.

    Each condition names a value, several, or by a boolean whether the value :func:`is_set`. Values are compared as
    text. Of a list in the record one element suffices.
    """
    tests = [(getter(name), wanted) for name, wanted in where.items()]
    return lambda record: all(_is(get(record), wanted) for get, wanted in tests)


def _is(value: Any, wanted: Wanted) -> bool:
    if isinstance(wanted, bool):
        return is_set(value) is wanted
    stated = {as_text(each) for each in (value if isinstance(value, list | tuple) else (value,))} - {None}
    return any(as_text(each) in stated for each in (wanted if isinstance(wanted, tuple) else (wanted,)))

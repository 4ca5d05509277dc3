"""A row of a label file checked against its model."""

import json
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from quotelake.files.jsonl import refuse

R = TypeVar("R", bound=BaseModel)


def checked(row_type: type[R], place: str, value: object) -> R:
    """Return a row as its model, with fields that the model does not name left out.

    Args:
        row_type: the model.
        place: file and line, for the message.
        value: of the line, as JSON gave it.

    Raises:
        InputError: the row does not fit; it names the place and the first field that is wrong.
    """
    try:
        return row_type.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"])) or "(row)"
        if first["type"] == "missing":
            refuse(f"{place}: field {name}", "none", f"give a JSON object with {', '.join(_required(row_type))}")
        is_said = first["loc"] or first["type"] == "value_error"  # of a check of several fields together
        advice = first["msg"] if is_said else f"give a JSON object with {', '.join(_required(row_type))}"
        refuse(f"{place}: field {name}", json.dumps(first["input"])[:80], advice)


def _required(row_type: type[BaseModel]) -> list[str]:
    return [name for name, field in row_type.model_fields.items() if field.is_required()] or ["fields"]

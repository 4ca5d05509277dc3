"""Text of Word documents and of PDF files, by libraries of the extra ``office``. Pure."""

import io
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

from quotelake.errors import InputError


def _of_word(library: Any, data: bytes) -> str:
    return "\n\n".join(each.text for each in library.Document(io.BytesIO(data)).paragraphs if each.text.strip())


def _of_pdf(library: Any, data: bytes) -> str:
    return "\n\n".join(page.extract_text() for page in library.PdfReader(io.BytesIO(data)).pages)


#: Suffix → the module that reads such files, and how.
READERS: Final[dict[str, tuple[str, Callable[[Any, bytes], str]]]] = {
    ".docx": ("docx", _of_word),
    ".pdf": ("pypdf", _of_pdf),
}


def office_text(data: bytes, suffix: str, argument: str) -> str:
    """Text of a file, its paragraphs or pages apart by empty lines; ``suffix`` is one of :data:`READERS`.

    An InputError, which names the ``argument``: the library is missing, or the file damaged, locked or without text.
    """
    module, read = READERS[suffix]
    try:
        library = import_module(module)
    except ImportError:
        advice = "install quotelake[office], or save the file as plain text"
        raise InputError(f"{argument}: {suffix} files need the library {module}; {advice}") from None
    try:
        text = read(library, data)
    except Exception as error:  # each library has errors of its own, and raises others on damaged files
        raise InputError(f"{argument}: no {suffix} file that can be read ({type(error).__name__}: {error})") from None
    if not text.strip():
        raise InputError(f"{argument}: holds no text; it may be scanned pages")
    return text

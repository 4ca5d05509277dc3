"""What an article of the corpus holds: headline, body, and the quotes in them with their places."""

from datetime import datetime
from typing import NamedTuple


class Use(NamedTuple):
    """A use of a quote, to be written into an article: name of its group, kind, text."""

    group: str
    kind: str
    text: str


class Planted(NamedTuple):
    """A quote in an article. Offsets count characters of the field.

    Attributes:
        text: as it is printed between the marks, with punctuation at its end.
        group: name of its group.
        kind: one of :data:`~quotelab.synthetic.mutations.SAME` or ``OTHER``.
        field: headline or body.
        start: first character.
        end: one past the last.
    """

    text: str
    group: str
    kind: str
    field: str
    start: int
    end: int


class Outlet(NamedTuple):
    """An outlet: its name, the host of its URLs, its opening and closing quotation mark."""

    name: str
    host: str
    marks: tuple[str, str]


class Text(NamedTuple):
    """Headline and body of an article, and the quotes in them."""

    headline: str
    body: str
    planted: tuple[Planted, ...]


class Article(NamedTuple):
    """An article of the corpus.

    Attributes:
        id: unique; counts the articles.
        story: id of the story's first article; wire copies have the same.
        topic: of the text around the quotes.
        outlet: who published it.
        published: when, UTC.
        copy: 0 for the first article of a story, then the number of the wire copy.
        text: headline, body, and the quotes in them.
    """

    id: str
    story: str
    topic: str
    outlet: Outlet
    published: datetime
    copy: int
    text: Text

"""A document → its quotes: the kernels of spans, speakers and keys over headline, body or tweet, as rows. No Spark."""

from collections.abc import Iterator
from typing import Any, Final

from quotelake.quotes.entities import unescape
from quotelake.quotes.keys import GAP, canonical_text, match_key
from quotelake.quotes.spans import quotes_in, whole_quote
from quotelake.quotes.speakers import speakers_in
from quotelake.text.ids import content_id
from quotelake.text.words import count_words

Row = dict[str, Any]

#: What a row has as a quote has it.
_COPIED: Final = ("start", "end", "depth", "text", "marks", "kind", "reason")
#: A speaker from the record, without a place in the text.
_STATED: Final = dict.fromkeys(("start", "end", "cue", "cue_start", "cue_end", "name_start", "name_end"))


def quotes_of_document(document: Row, rule_version: str) -> Iterator[Row]:
    """Find the quotes of a document, field by field.

    ``document`` is a row of ``documents``, with ``is_quote`` and ``stated_speaker`` if its body is one quote.

    Yields:
        The content columns of ``quotes``, and ``canonical_text`` and ``canonical_words`` of the variant.
        Grain: a quote; key: ``quote_id``.
    """
    fields = ("tweet",) if document["kind"] == "tweet" else ("headline", "body")
    for field in fields:
        raw = document["body" if field == "tweet" else field]
        if not raw:
            continue
        read = unescape(raw)  # once for quotes, speakers and keys
        text = raw if read is None else read.text
        is_whole, language = bool(document.get("is_quote")) and field != "headline", document["language"]
        found = whole_quote(text) if is_whole else quotes_in(text, field, language)
        speakers = speakers_in(text, found, field, None if is_whole else language)
        quotes = found
        if read is not None:
            quotes = [quote.moved(raw, read.raw) for quote in found]
            speakers = [speaker and speaker.moved(raw, read.raw) for speaker in speakers]
        ids = [content_id(document["doc_id"], field, quote.start, quote.end) for quote in quotes]
        for quote_id, quote, decoded, speaker in zip(ids, quotes, found, speakers, strict=True):
            canonical = canonical_text(decoded.text, is_decoded=True)
            named: Row | None = None
            if is_whole and (stated := document.get("stated_speaker")) is not None:
                named = _STATED | {"text": stated, "head": stated, "name": stated, "how": "stated", "type": "person"}
            elif speaker is not None:
                named = speaker._asdict()
                del named["rule"]
                named["head"] = speaker.text[: named.pop("head_end") - speaker.start]
                named["cue"] = named.pop("cue_lemma")
            yield {
                "quote_id": quote_id,
                "rule_version": rule_version,
                "doc_id": document["doc_id"],
                "field": field,
                **{name: getattr(quote, name) for name in _COPIED},
                "segments": [{"start": start, "end": end} for start, end in quote.segments],
                "parent": None if quote.parent is None else ids[quote.parent],
                "utterance_id": ids[quote.utterance],
                "flags": list(quote.flags),
                "words": count_words(quote.text),
                "match_key": match_key(decoded.joined, is_decoded=True),
                "variant_id": None if canonical is None else content_id(canonical),
                "canonical_text": canonical,
                "canonical_words": 0 if canonical is None else sum(word != GAP for word in canonical.split(" ")),
                "speaker": named,
            }

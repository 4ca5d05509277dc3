"""Run the quotation kernel on hostile inputs, and count crashes and wrong offsets.

Inputs are mutated text of the sample corpus, splices of two texts, random marks, and random code points, with character
references, surrogates, control and combining characters and line breaks of all kinds. One in 200 is up to 20,000
characters long. A seed gives the same inputs, whatever the number of processes. If any input fails, the exit status is
1 and failing inputs are written to a file.
"""

import json
import os
import random
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, NamedTuple

from quotelab.report import positive
from quotelake.files.jsonl import json_lines
from quotelake.quotes.keys import canonical_text, match_key
from quotelake.quotes.marks import FAMILY
from quotelake.quotes.spans import MODES, Quote, find_quotes
from quotelake.quotes.speakers import Speaker, find_speakers
from quotelake.sample import sample_path

Corpora = Sequence[Sequence[str]]

USUAL: Final = 300  # mean length in characters
LONGEST: Final = 20_000
LONG: Final = 200  # one input in so many is of any length up to the longest

MARKS = (*FAMILY, "`", "´", "′", "″", "<", ">", "--", "—")
BREAKS = ("\n", "\n\n", "\r\n", "\r\n\r\n", "\r", "\n \t\n", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029", " ")
#: Paragraph breaks of continued quotes: the next paragraph opens with a mark again.
REOPENINGS = (".\n\n“", '.\n\n"', "\n\n“", "\r\n\r\n“", ".\n“", "\n\n「", "\n\n‘")
ENTITIES = (
    "&quot;", "&#34;", "&#x22;", "&ldquo;", "&rdquo;", "&#8220;", "&#8221;", "&lsquo;", "&rsquo;", "&#39;", "&apos;",
    "&laquo;", "&raquo;", "&bdquo;", "&nbsp;", "&amp;quot;", "&quot", "&#", "&#;", "&#0;", "&#x110000;", "&#55296;",
    "&#99999999;", "&", ";",
)  # fmt: skip
MOJIBAKE = ("â€œ", "â€\x9d", "â€", "â€™", "Ã¢â‚¬Å“", "Ã¢â‚¬", "Â", "\x93", "\x94", "‚Ä")
HOSTILE = (
    "\ud800", "\udfff", "\udc80\ud83d", "\x00", "\x07", "\x1b", "\x7f", "\ufffe", "\ufeff", "\u200b", "\u200d",
    "\u00ad", "\u202e", "\u2066", "\u0301", "\u20dd", "\u0bcd", "\u0345", "\U000e0041", "\U0010ffff",
    "\U0001f469\U0001f3fd\u200d\U0001f680", "İ", "ß", "ﬁ", "ǆ",
)  # fmt: skip
WORDS = (
    "she", "said", "Ruiz", "Ana Ruiz", "the mayor", "according to", "so-called", "told", "s", "n", "5", "'90s", ":",
    ",", ".", "?", "...", "…", "[", "]", "(", ")", "=", "@ana", "RT @ana:", "https://t.co/x", "a", "고",
    "라고 말했다", "장관은", "終わった", "と", "нет", "لا", "[council]", "1.5", "Mayor:", "We will not go",
)  # fmt: skip
TOKENS = (MARKS, BREAKS, REOPENINGS, ENTITIES, MOJIBAKE, HOSTILE, WORDS)


def make_input(rng: random.Random, corpora: Corpora) -> str:
    """Make one input: real text mutated or spliced, tokens at random, or code points at random."""
    length = min(LONGEST, int(rng.expovariate(1 / USUAL)))
    if rng.randrange(LONG) == 0:
        length = rng.randrange(LONGEST)
    draw = rng.random()
    if draw < 0.45:
        return mutate(rng, cut(rng, corpora, length))
    if draw < 0.6:
        first = rng.randrange(length + 1)
        return mutate(rng, cut(rng, corpora, first) + rng.choice(BREAKS) + cut(rng, corpora, length - first))
    if draw < 0.9:
        pools = rng.choices(TOKENS, (6, 1, 1, 1, 1, 1, 4), k=length // 4)
        return "".join([pool[int(rng.random() * len(pool))] for pool in pools])
    top = rng.choice((0x80, 0x250, 0x3100, 0x110000))
    characters = [chr(int(rng.random() * top)) for _ in range(length)]
    for at in range(0, length, 5):
        characters[at] = MARKS[int(rng.random() * len(MARKS))]
    return "".join(characters)


def cut(rng: random.Random, corpora: Corpora, length: int) -> str:
    """Cut a piece out of a text of a corpus: one in three from its beginning, the others from a random place."""
    text = rng.choice(rng.choice(corpora))
    start = rng.randrange(max(1, len(text) - length)) if rng.randrange(3) else 0
    return text[start : start + length]


def mutate(rng: random.Random, text: str) -> str:
    """Delete, repeat, reverse and insert at up to eight places, more often at marks than elsewhere."""
    for _ in range(rng.randrange(9)):
        at = rng.randrange(len(text) + 1)
        if rng.random() < 0.5:
            at = max(0, text.find(rng.choice(MARKS), at))
        end = at + rng.choice((1, 1, 2, 5))
        match rng.randrange(4):
            case 0:
                text = text[:at] + text[end:]
            case 1:
                text = text[:end] + text[at:]
            case 2:
                text = text[:at] + text[at:end][::-1] + text[end:]
            case _:
                text = text[:at] + rng.choice(rng.choice(TOKENS)) + text[at:]
    return text


KEPT: Final = 1000  # most failing inputs written
CHUNK: Final = 1000  # inputs made with one seed of the generator

_corpora: Corpora = ()  # Set once in each process, so that they are not sent with each chunk.


class Tally(NamedTuple):
    """Counts over inputs, and the failures as rows to write, each with its fault: a crash, or wrong offsets."""

    counts: Counter[str]
    failures: list[dict[str, Any]]


def fuzz(corpora: Corpora, inputs: int, seed: int, processes: int = 1) -> Iterator[Tally]:
    """Yield the tallies of chunks of inputs, in order; raises ``BrokenProcessPool`` if a process dies."""
    chunks, run = range(-(-inputs // CHUNK)), partial(run_chunk, seed=seed, inputs=inputs)
    if processes == 1:
        _set_corpora(corpora)
        yield from map(run, chunks)
        return
    # Spawned: the fork of a process with threads, such as those of pyarrow, can crash when it frees what is theirs.
    with ProcessPoolExecutor(processes, get_context("spawn"), _set_corpora, (corpora,)) as pool:
        yield from pool.map(run, chunks)


def _set_corpora(corpora: Corpora) -> None:
    global _corpora
    _corpora = corpora


def run_chunk(chunk: int, seed: int, inputs: int) -> Tally:
    """Make and check the inputs of a chunk: up to ``CHUNK``, fewer in the last."""
    rng = random.Random(f"{seed}:{chunk}")
    counts, failures = Counter[str](), []
    for index in range(chunk * CHUNK, min(inputs, (chunk + 1) * CHUNK)):
        raw, mode = make_input(rng, _corpora), rng.choice(MODES)
        counts.update(inputs=1, characters=len(raw))
        fault = "wrong offsets"
        try:
            language = rng.choice(("en", "en", "ko", "de", "es"))
            quotes = find_quotes(raw, mode, language)
            detail = wrong_quotes(raw, quotes)
            counts["quotes found"] += len(quotes)
            if not detail:
                speakers = find_speakers(raw, quotes, mode, language)
                detail = wrong_speakers(raw, quotes, speakers)
                counts["speakers found"] += sum(speaker is not None for speaker in speakers)
                for quote in quotes:
                    match_key(quote.joined), canonical_text(quote.text)
        except Exception as error:  # Any exception is a crash to report.
            fault, detail = "crashes", f"{type(error).__name__}: {error}"
        if detail:
            counts[fault] += 1
            failures.append({"index": index, "mode": mode, "fault": fault, "detail": detail, "text": raw})
    return Tally(counts, failures)


def wrong_quotes(raw: str, quotes: Sequence[Quote]) -> str | None:
    """Describe the first fault of quotes in offsets, segments, order, nesting or parents; None if there is none."""
    around: list[int] = []
    last = (-1, 0)
    for at, quote in enumerate(quotes):
        name = f"quote {at} at {quote.start}-{quote.end}"
        if not 0 <= quote.start < quote.end <= len(raw) or raw[quote.start : quote.end] != quote.text:
            return f"{name}: its text is not what stands there"
        ends = [offset for segment in quote.segments for offset in segment]
        if not ends or ends != sorted(set(ends)) or (ends[0], ends[-1]) != (quote.start, quote.end):
            return f"{name}: segments {quote.segments} are not in it and in order"
        if (quote.start, -quote.end) < last:
            return f"{name}: stands behind a later one"
        last = (quote.start, -quote.end)
        while around and quotes[around[-1]].end <= quote.start:
            around.pop()
        parent = around[-1] if around else None
        if parent is not None and quote.end > quotes[parent].end:
            return f"{name}: crosses quote {parent}"
        if (quote.parent, quote.depth) != (parent, len(around)):
            return f"{name}: parent {quote.parent} at depth {quote.depth}, not {parent} at {len(around)}"
        if not 0 <= quote.utterance <= at or quotes[quote.utterance].utterance != quote.utterance:
            return f"{name}: no utterance begins with quote {quote.utterance}"
        around.append(at)
    return None


def wrong_speakers(raw: str, quotes: Sequence[Quote], speakers: Sequence[Speaker | None]) -> str | None:
    """Describe the first fault of speakers in number, or in offsets of speaker, cue or name; None if there is none."""
    if len(speakers) != len(quotes):
        return f"{len(speakers)} speakers for {len(quotes)} quotes"
    for at, speaker in enumerate(speakers):
        if speaker is None:
            continue
        places = (("text", speaker.start, speaker.end), ("name", speaker.name_start, speaker.name_end))
        for what, start, end in places:
            if _part(raw, start, end) != getattr(speaker, what):
                return f"speaker of quote {at}: its {what} is not at {start}-{end}"
        if not speaker.start < speaker.head_end <= speaker.end:
            return f"speaker of quote {at}: its head ends at {speaker.head_end}, outside {speaker.start}-{speaker.end}"
        cue = _part(raw, speaker.cue_start, speaker.cue_end)
        if cue == "" or (speaker.cue_lemma is None) != (cue is None):
            return f"speaker of quote {at}: no cue can be at {speaker.cue_start}-{speaker.cue_end}"
    return None


def _part(raw: str, start: int | None, end: int | None) -> str | None:
    """The text between two offsets; None if neither is given, empty if they are invalid."""
    if start is None and end is None:
        return None
    valid = start is not None and end is not None and 0 <= start < end <= len(raw)
    return raw[start:end] if valid else ""


def sample_corpora() -> Corpora:
    """Titles and texts of the news, and texts of the tweets, of the sample corpus."""
    corpora = []
    for name in ("news.jsonl", "tweets.jsonl"):
        records = [record for _, record in json_lines(Path(sample_path(name))) if isinstance(record, dict)]
        texts = [record.get(field) for record in records for field in ("title", "text")]
        corpora.append([text for text in texts if text and isinstance(text, str)])
    return corpora


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("--inputs", type=positive, default=1_000_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--processes", type=positive, default=len(os.sched_getaffinity(0)), metavar="N")
    parser.add_argument("--failures", type=Path, metavar="FILE", help="for failing inputs (default: a temporary file)")


def run(options: Namespace) -> int:
    """Fuzz, print, write what failed; return the exit code."""
    started = time.monotonic()
    total, failures = Counter[str](), []
    for tally in fuzz(sample_corpora(), options.inputs, options.seed, options.processes):
        done = total["inputs"] * 20 // options.inputs
        total += tally.counts
        failures += tally.failures
        if total["inputs"] * 20 // options.inputs > done:
            spent = time.monotonic() - started
            print(f"{total['inputs']:>11,} inputs, {len(failures)} failures, {spent:,.0f} s", flush=True)
    figures = {"seconds": round(time.monotonic() - started), "seed": options.seed}
    for name in ("inputs", "crashes", "wrong offsets", "characters", "quotes found", "speakers found"):
        figures[name] = total[name]
    print("\n".join(f"{name:<15}{value:>15,}" for name, value in figures.items()))
    if failures:
        path = options.failures or Path(tempfile.gettempdir()) / f"fuzz_quotes_seed_{options.seed}.jsonl"
        # JSON escapes lone surrogates, which no encoding can write.
        path.write_text("".join(json.dumps(failure) + "\n" for failure in failures[:KEPT]), "ascii")
        print(f"{min(KEPT, len(failures)):,} failing inputs written to {path}")
    return 1 if failures else 0

"""Check one article: what each quote of its headline is to the body. No Spark.

check.py --headline 'Mayor: "We will rebuild"' --body article.txt
curl … | check.py --headline TEXT --body - --json
"""

import argparse
import sys
import time
from pathlib import Path

from quotelake.article import Article, Encode, article_of, judge_article
from quotelake.commands import job_parser
from quotelake.contextomy.comparable import compared_languages
from quotelake.contextomy.decide import load_detector
from quotelake.embeddings import models
from quotelake.errors import InputError, SettingsError, exit_with
from quotelake.quotes.spans import find_quotes
from quotelake.reporting.console import make_console
from quotelake.reporting.judgements import show_judgements, to_json
from quotelake.settings import Settings, load_settings
from quotelake.text.language import normalise_language


class LazyEncoder:
    """The model, loaded when a first quote needs it: most are settled by strings. Remembers how long that took."""

    def __init__(self, name: str, dtype: str) -> None:
        self._name, self._dtype = name, dtype
        self.seconds = 0.0

    def load(self) -> Encode:
        """Wrap the loading into a function of texts."""
        return lambda texts: self._load()(texts)

    def _load(self) -> Encode:
        from quotelake.embeddings.encoder import Encoder

        begin = time.monotonic()
        encoder = Encoder(self._name, self._dtype)
        encoder.encode(["warm"])  # torch sets itself up with the first text: part of loading
        self.seconds = time.monotonic() - begin
        return encoder.encode


def main() -> None:
    """Read, judge, print."""
    arguments = _arguments()
    settings = load_settings(arguments.config, arguments.set)
    article = read_article(arguments.headline, arguments.body, arguments.language, settings)
    name = arguments.model or settings.model.name or models.DEFAULT
    detector = load_detector(settings.contextomy)
    model = None if arguments.no_model or article.language not in settings.model.languages else name
    if model is not None:
        models.locate(model)  # a wrong name is said at once, whether or not the model is needed
    is_other = model is not None and not compared_languages(settings, detector, model)
    if is_other:
        model = None
    lazy = LazyEncoder(name, settings.model.dtype)
    begin = time.monotonic()
    judgements = judge_article(article, settings, None if model is None else lazy.load(), detector)
    seconds = time.monotonic() - begin - lazy.seconds
    if arguments.json:
        timed = {"seconds": round(seconds, 3), "model_seconds": round(lazy.seconds, 3)}
        print(to_json(article, judgements, detector, model=model, **timed))
        return
    if not judgements:
        print(_nothing(article.headline))
        return
    show_judgements(judgements, detector, make_console())
    used = _used(lazy, model, is_other=is_other)
    print(f"\nlanguage {article.language}, body {article.body_status}; judged in {seconds:.2f} s, {used}")


def _arguments() -> argparse.Namespace:
    parser = job_parser("check.py", __doc__)
    parser.add_argument("--headline", required=True, metavar="TEXT", help="headline of the article")
    parser.add_argument("--body", required=True, metavar="FILE", help="file with its text in UTF-8; - reads the input")
    parser.add_argument("--language", metavar="CODE", help="ISO 639-1, such as en (default: detected)")
    parser.add_argument("--model", metavar="NAME", help="model instead of the one in the settings: name or directory")
    parser.add_argument("--no-model", action="store_true", help="judge by the strings alone")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--config", metavar="FILE", help="TOML over conf/base.toml")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a single setting, last word")
    return parser.parse_args()


def read_article(headline: str, body_file: str, language: str | None, settings: Settings) -> Article:
    """Make of the arguments what the nightly job would make of a record.

    Raises:
        InputError: the file cannot be read or holds no text, or the headline is empty.
        SettingsError: the language is no ISO 639-1 code.
    """
    if not headline.strip():
        raise InputError("--headline is empty; give the headline as it stands, its quotation marks included")
    body = _read(body_file)
    if not body.strip():
        raise InputError(f"--body {body_file}: holds no text")
    if language is not None and normalise_language(language) is None:
        raise SettingsError(f"--language {language!r} is no language code of ISO 639-1, such as en")
    return article_of(headline, body, language, settings.ingest)


def _read(name: str) -> str:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"--body {name}: {error.strerror}; give a file with the text of the article") from None
    except UnicodeDecodeError as error:
        raise InputError(f"--body {name}: byte {error.start} is not UTF-8; convert the file to UTF-8") from None


def _used(lazy: LazyEncoder, model: str | None, *, is_other: bool) -> str:
    if is_other:
        return "without the model: the detector was made for another one, to it these cosines mean nothing"
    if model is None:
        return "without a model"
    return f"model loaded in {lazy.seconds:.1f} s" if lazy.seconds else "no model needed"


def _nothing(headline: str) -> str:
    if find_quotes(headline, "headline"):
        return "the headline has no quotation marks, only a claim behind a colon: nothing is held against the body"
    return "the headline has no quote: nothing to check"


if __name__ == "__main__":
    exit_with(main)

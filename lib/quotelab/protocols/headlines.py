"""Protocol ``headlines``: outcomes and alerts on real headlines, against what readers say of them.

The sample is drawn by :mod:`quotelab.labels.drawing`. A row weighs the inverse of its probability of inclusion
(Horvitz and Thompson 1952), so shares are those of the corpora. Rows that readers call unusable are left out.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from quotelab.labels.headlines import OUT_OF_CONTEXT, HeadlineLabels, Label
from quotelab.labels.texts import Labelled, read_labels, text_hash
from quotelab.protocols.contextomy import judging_encoder
from quotelab.report import Report
from quotelab.statistics import auc, average_precision, brier, krippendorff_alpha, weighted_share
from quotelake.article import Encode, article_of, judge_article
from quotelake.contextomy.decide import Detector, load_detector
from quotelake.contextomy.judgement import Judgement, Outcome
from quotelake.files.jsonl import refuse
from quotelake.settings import Settings, load_settings

#: Labels with which an alert is right: another speaker's words and a risky excerpt only if they distort.
_ALERTS = {
    "contextomized": OUT_OF_CONTEXT,
    "wrong_speaker": frozenset({Label.DISTORTED}),
    "risky_excerpt": frozenset({Label.DISTORTED}),
}
#: Labels with which ``absent`` is right: no quote of the body says it.
_NOT_QUOTED = frozenset({Label.ABSENT, Label.REPORTED})


@dataclass(frozen=True, slots=True)
class _Row:
    labels: HeadlineLabels
    judgement: Judgement

    @property
    def weight(self) -> float:
        return 1 / self.labels.inclusion

    @property
    def is_out_of_context(self) -> bool:
        return self.labels.label in OUT_OF_CONTEXT

    @property
    def is_listed(self) -> bool:
        """Whether a desk is shown it: as an alert, or in the list of what stands nowhere."""
        return self.judgement.alert is not None or self.judgement.outcome is Outcome.ABSENT

    @property
    def is_claim(self) -> bool:
        return str(self.judgement.outcome).startswith("claim_")


def evaluate(
    data: Sequence[str],
    texts: Sequence[str],
    settings: Settings,
    encode: Encode | None = None,
    part: str | None = None,
) -> Report:
    """Judge every labelled headline quote and hold outcome, alert and score against its label.

    Args:
        data: paths or globs of label files.
        texts: of the corpora that hold the articles.
        settings: detector, thresholds and languages.
        encode: see :func:`~quotelake.article.judge_article`.
        part: take only rows of this part.

    Returns:
        alpha over all labels, and of out of context or not, before adjudication; for each class of alerts its weighted
        number, precision and Wilson's 95 % interval, and the labels of its false alarms; the same of claims that the
        body does not support, and of ``absent``; the weighted recall, by alerts and ``absent``, of all that is out of
        context, and of what no rule takes for a newspaper claim, which alerts nobody; of the quotes with a score auc,
        average precision and Brier score. A row of the report is a quote: place, id, label, outcome, alert, score,
        weight.

    Raises:
        InputError: see :func:`~quotelab.labels.texts.read_labels`; or a row has no label, its body is another
            one than was read, or its headline has no quote there.
    """
    labelled = read_labels(data, HeadlineLabels, texts, part)
    detector = load_detector(settings.contextomy)
    judged = [_Row(row.labels, _judge(row, settings, detector, encode)) for row in labelled]
    usable = [row for row in judged if row.labels.label is not Label.UNUSABLE]
    figures: dict[str, float] = {"quotes": len(judged), "usable": len(usable)}
    figures |= _agreement(judged)
    for alert, right in _ALERTS.items():
        figures |= _precision(alert, [row for row in usable if row.judgement.alert == alert], right)
    unsupported = [row for row in usable if row.judgement.outcome is Outcome.CLAIM_UNSUPPORTED]
    figures |= _precision(Outcome.CLAIM_UNSUPPORTED, unsupported, OUT_OF_CONTEXT)
    absent = [row for row in usable if row.judgement.outcome is Outcome.ABSENT]
    figures |= _precision(Outcome.ABSENT, absent, _NOT_QUOTED)
    figures |= _recall("recall", usable)
    figures |= _recall("recall_without_claims", [row for row in usable if not row.is_claim])
    figures |= _scores([row for row in usable if row.judgement.score is not None])
    details = [
        {
            "place": place.place, "id": row.labels.id, "label": row.labels.label, "outcome": row.judgement.outcome,
            "alert": row.judgement.alert, "score": row.judgement.score, "weight": round(row.weight, 4),
        }
        for place, row in zip(labelled, judged, strict=True)
    ]  # fmt: skip
    return Report("headlines", figures, details)


def _judge(row: Labelled[HeadlineLabels], settings: Settings, detector: Detector, encode: Encode | None) -> Judgement:
    labels = row.labels
    if labels.label is None:
        refuse(f"{row.place}: field label", "none", "label the file first, see: quotelab label --help")
    body = labels.body if labels.body is not None else row.record.get("text")
    if not isinstance(body, str) or (labels.body_sha256 and text_hash(body) != labels.body_sha256):
        refuse(f"{row.place}: body", "another one than was read", "get that version of the corpus")
    article = article_of(row.text, body, row.record.get("language"), settings.ingest)
    for judgement in judge_article(article, settings, encode, detector):
        if (judgement.headline.start, judgement.headline.end) == labels.quote:
            return judgement
    refuse(f"{row.place}: field quote", f"no headline quote at {list(labels.quote)}", "rules changed: draw anew")


def _agreement(rows: Sequence[_Row]) -> dict[str, float]:
    read = [row.labels.labels for row in rows if len(row.labels.labels) > 1]
    sides = [[str(label in OUT_OF_CONTEXT) for label in labels] for labels in read]
    return {"alpha": krippendorff_alpha(read), "alpha_out_of_context": krippendorff_alpha(sides)}


def _precision(alert: str, rows: Sequence[_Row], right: frozenset[Label]) -> dict[str, float]:
    """Precision of a class of alerts, and what its false alarms are."""
    true = [row for row in rows if row.labels.label in right]
    low, high, share = _share(true, rows)
    false = Counter(str(row.labels.label) for row in rows if row.labels.label not in right)
    figures = {
        alert: sum(row.weight for row in rows), f"{alert}_precision": share, f"{alert}_precision_low": low,
        f"{alert}_precision_high": high,
    }  # fmt: skip
    return figures | {f"{alert}_but_{label}": n for label, n in sorted(false.items())}


def _recall(name: str, rows: Sequence[_Row]) -> dict[str, float]:
    wanted = [row for row in rows if row.is_out_of_context]
    low, high, share = _share([row for row in wanted if row.is_listed], wanted)
    n = sum(row.weight for row in wanted)
    return {f"{name}_of": n, name: share, f"{name}_low": low, f"{name}_high": high}


def _share(part: Sequence[_Row], whole: Sequence[_Row]) -> tuple[float, float, float]:
    """Weighted share with its interval by Wilson at the effective number of rows (Kish 1965): low, high, share."""
    return weighted_share(sum(row.weight for row in part), [row.weight for row in whole])


def _scores(rows: Sequence[_Row]) -> dict[str, float]:
    if not rows:
        return {"scored": 0}
    labels = np.array([row.is_out_of_context for row in rows], dtype=np.float64)
    scores = np.array([row.judgement.score for row in rows], dtype=np.float64)
    return {
        "scored": len(rows), "scored_out_of_context": int(labels.sum()), "auc": auc(labels, scores),
        "average_precision": average_precision(labels, scores), "brier": brier(labels, scores),
    }  # fmt: skip


def report(options: argparse.Namespace) -> Report:
    """The protocol as the command runs it."""
    settings = load_settings()
    encode = judging_encoder(options, settings, load_detector(settings.contextomy))
    return evaluate(options.data, options.texts, settings, encode, options.part)

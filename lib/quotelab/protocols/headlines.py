"""Protocol ``headlines``: outcomes and alerts on real headlines, against what readers say of them.

The sample is drawn by `quotelab label`. A row weighs the inverse of its probability of inclusion
(Horvitz and Thompson 1952), so shares are those of the corpora. Rows that readers call unusable are left out.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from quotelab.labels.headlines import OUT_OF_CONTEXT, HeadlineLabels, Label
from quotelab.labels.texts import Labelled, read_labels, text_hash
from quotelab.report import Report
from quotelab.statistics import auc, average_precision, brier, krippendorff_alpha, weighted_figures
from quotelake import check_article
from quotelake.article import Encode
from quotelake.contextomy.differences import Kind
from quotelake.contextomy.judgement import Judgement, Outcome
from quotelake.files.jsonl import refuse
from quotelake.settings import Settings, load_settings

#: Labels with which an alert of a kind, or an outcome, is right: ``absent`` if no quote of the body says it; words that
#: the body has are out of context only if they distort.
_RIGHT: Final[dict[str, frozenset[Label]]] = {
    **dict.fromkeys(Kind, frozenset({Label.DISTORTED})),
    **dict.fromkeys((Kind.NEGATION, Kind.NUMBER, Kind.ALTERED, Outcome.CLAIM_UNSUPPORTED), OUT_OF_CONTEXT),
    Kind.ABSENT: frozenset({Label.ABSENT, Label.REPORTED}),
}


def evaluate(
    data: Sequence[str], texts: Sequence[str], encode: Encode | None = None, part: str | None = None
) -> Report:
    """Judge every labelled headline quote and compare outcome, alert and score with its label.

    Figures: alpha over all labels, and of out of context or not, before adjudication; for each kind of alerts, for
    claims that the body does not support and for ``absent`` the weighted number, precision and Wilson's 95 % interval,
    and the labels of the false alarms; the weighted recall of all that is out of context, and of what no rule takes for
    a newspaper claim; of the quotes with a score auc, average precision and Brier score. A row is a quote.
    """
    labelled = read_labels(data, HeadlineLabels, texts, part)
    settings = load_settings()
    judged = [(row.labels, _judge(row, settings, encode)) for row in labelled]
    usable = [(row, judgement) for row, judgement in judged if row.label is not Label.UNUSABLE]
    read = [row.labels.labels for row in labelled]
    sides = [[str(label in OUT_OF_CONTEXT) for label in labels] for labels in read]
    figures: dict[str, float] = {"quotes": len(judged), "usable": len(usable)}
    figures |= {"alpha": krippendorff_alpha(read), "alpha_out_of_context": krippendorff_alpha(sides)}
    for name, right in _RIGHT.items():
        found = [row for row, judgement in usable if name in (judgement.alert, judgement.check, judgement.outcome)]
        figures[name] = sum(row.weight for row in found)
        figures |= weighted_figures(f"{name}_precision", [(row.label in right, row.weight) for row in found])
        false = Counter(str(row.label) for row in found if row.label not in right)
        figures |= {f"{name}_but_{label}": n for label, n in sorted(false.items())}
    missing = [(row, judgement) for row, judgement in usable if row.label in OUT_OF_CONTEXT]
    unclaimed = [each for each in missing if not str(each[1].outcome).startswith("claim_")]
    for name, wanted in (("recall", missing), ("recall_without_claims", unclaimed)):
        figures[f"{name}_of"] = sum(row.weight for row, _ in wanted)
        listed = [(bool(one.alert or one.check), row.weight) for row, one in wanted]
        figures |= weighted_figures(name, listed)
    scored = [(row, judgement.score) for row, judgement in usable if judgement.score is not None]
    figures["scored"] = len(scored)
    if scored:
        labels = np.array([row.label in OUT_OF_CONTEXT for row, _ in scored], dtype=np.float64)
        scores = np.array([score for _, score in scored], dtype=np.float64)
        figures |= {"scored_out_of_context": int(labels.sum()), "auc": auc(labels, scores)}
        figures |= {"average_precision": average_precision(labels, scores), "brier": brier(labels, scores)}
    details = [
        {
            "place": place.place, "id": row.id, "label": row.label, "outcome": judgement.outcome,
            "alert": judgement.alert, "score": judgement.score, "weight": round(row.weight, 4),
        }
        for place, (row, judgement) in zip(labelled, judged, strict=True)
    ]  # fmt: skip
    return Report("headlines", figures, details)


def _judge(row: Labelled[HeadlineLabels], settings: Settings, encode: Encode | None) -> Judgement:
    labels = row.labels
    if labels.label is None:
        refuse(f"{row.place}: field label", "none", "label the file first, see: quotelab label --help")
    body = labels.body if labels.body is not None else row.record.get("text")
    if not isinstance(body, str) or (labels.body_sha256 and text_hash(body) != labels.body_sha256):
        refuse(f"{row.place}: body", "another one than was read", "get that version of the corpus")
    language = row.record.get("language")
    for judgement in check_article(row.text, body, language=language, encode=encode, settings=settings):
        if (judgement.headline.start, judgement.headline.end) == labels.quote:
            return judgement
    refuse(f"{row.place}: field quote", f"no headline quote at {list(labels.quote)}", "rules changed: draw anew")

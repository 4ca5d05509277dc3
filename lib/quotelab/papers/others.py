"""Tables of QuoteCSE (Song et al. 2023) and STR-2022 (Abdalla et al. 2023) from the reports of their protocols."""

from typing import Final

from quotelab.papers.page import Table, Written, cell

#: Spearman as published: over all pairs, or the mean over five folds.
RELATEDNESS: Final = {
    "dice": 0.57,
    "word2vec, mean": 0.60,
    "BERT-base, mean": 0.58,
    "BERT, fine-tuned": 0.82,
    "RoBERTa, fine-tuned": 0.83,
}
#: Spearman of fine-tuned models by source as published: trained in the folds, and on the other sources.
SOURCES: Final = {
    "STS": (0.79, 0.82),
    "SNLI": (0.80, 0.77),
    "Stance": (0.49, 0.39),
    "Goodreads": (0.73, 0.70),
    "Wiki": (0.79, 0.75),
    "Formality": (0.86, 0.83),
    "ParaNMT": (0.80, 0.79),
}
SPLIT_HALF: Final = 0.84


def quotecse_tables(report: Written) -> list[Table]:
    """Detectors of contextomized quotes."""
    rows = []
    for row in report["rows"]:
        if row.get("published"):
            rows.append((f"published: {row['detector']}", cell(row["f1"]), cell(row["auc_hard"]), "–", "–"))
        else:
            errors = ((row[name], row[f"{name}_se"]) for name in ("f1", "auc_hard", "auc", "brier"))
            rows.append((row["detector"], *(cell(*each) for each in errors)))
    notes = (
        "Mean ± standard error over the paper's 15 stratified 80:20 splits, seeds 0, 10, …, 140; all choices inside "
        "the training part.",
        "Our detectors compare wording and need no Korean language model. The paper's encoders were trained on 86,275 "
        "Korean articles, of which 200 are public, so QuoteCSE itself cannot be trained again here.",
    )
    columns = ("detector", "F1", "AUC of hard predictions", "AUC", "Brier")
    return [Table("Contextomized headline quotes", columns, rows, notes)]


def relatedness_tables(report: Written) -> list[Table]:
    """Measures and models of the relatedness of sentences, overall and by source."""
    figures = report["figures"]
    names = [name for name in figures if f"{name}_sd" in figures or name in ("dice", "encoder", "word_vectors")]
    rows = [(name, cell(figures[name], figures.get(f"{name}_sd"))) for name in names]
    rows += [(f"published: {name}", cell(value, digits=2)) for name, value in RELATEDNESS.items()]
    notes = ("Spearman; of trained models the mean ± standard deviation over five folds (shuffled, seed 0).",)
    found = [Table("Relatedness of sentences", ("model", "Spearman"), rows, notes)]
    trained = [name for name in names if f"{name}_sd" in figures]
    sources = [row for row in report["rows"] if row.get("kind") == "source"]
    if sources:
        columns = ("source", *names, *(f"{name}, other sources" for name in trained), "published", "other sources")
        by_source = []
        for row in sources:
            theirs = SOURCES.get(row["source"], (None, None))
            ours = [row.get(name) for name in (*names, *(f"{name}_other_sources" for name in trained))]
            by_source.append((row["source"], *map(cell, ours), *(cell(value, digits=2) for value in theirs)))
        found.append(Table("Relatedness by source", columns, by_source, ("Published: fine-tuned models.",)))
    return found


def scaling_table(report: Written) -> Table:
    """Reliability of best-worst scaling."""
    figures = report["figures"]
    ours = cell(figures["split_half"], figures["split_half_sd"])
    notes = (f"Mean ± standard deviation over {figures['repetitions']:,} random splits (seed 0).",)
    rows = [("Spearman of two halves", ours, cell(SPLIT_HALF, digits=2))]
    return Table("Split-half reliability of best–worst scaling", ("", "ours", "published"), rows, notes)

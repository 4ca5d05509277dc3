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
#: Spearman of models fine-tuned in the folds by source as published.
SOURCES: Final = {
    "STS": 0.79, "SNLI": 0.80, "Stance": 0.49, "Goodreads": 0.73, "Wiki": 0.79, "Formality": 0.86, "ParaNMT": 0.80,
}  # fmt: skip
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
    names = [name for name in ("dice", "encoder", "head", "best") if name in figures]
    rows = [(name, cell(figures[name], figures.get(f"{name}_sd"))) for name in names]
    rows += [(f"published: {name}", cell(value, digits=2)) for name, value in RELATEDNESS.items()]
    notes = ("Spearman; of trained models the mean ± standard deviation over five folds (shuffled, seed 0).",)
    by_source = [
        (row["source"], *(cell(row.get(name)) for name in names), cell(SOURCES.get(row["source"]), digits=2))
        for row in report["rows"]
        if row["kind"] == "source"
    ]
    found = [Table("Relatedness of sentences", ("model", "Spearman"), rows, notes)]
    published = ("Published: fine-tuned models.",)
    if by_source:
        found.append(Table("Relatedness by source", ("source", *names, "published"), by_source, published))
    return found


def scaling_table(report: Written) -> Table:
    """Reliability of best-worst scaling."""
    figures = report["figures"]
    ours = cell(figures["split_half"], figures["split_half_sd"])
    notes = (f"Mean ± standard deviation over {figures['repetitions']:,} random splits (seed 0).",)
    rows = [("Spearman of two halves", ours, cell(SPLIT_HALF, digits=2))]
    return Table("Split-half reliability of best–worst scaling", ("", "ours", "published"), rows, notes)

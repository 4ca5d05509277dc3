"""Public tools that group near-duplicate texts, and ours, run alike on the same texts and compared with the truth.

``adapters`` run one tool each, as programs of their own; ``tools.toml`` lists the tools with their settings;
``comparing`` runs, measures and compares them.
"""

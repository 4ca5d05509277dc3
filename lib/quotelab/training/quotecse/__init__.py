"""QuoteCSE (Song et al., Findings of EACL 2023): a sentence encoder trained on the quotes of news articles."""

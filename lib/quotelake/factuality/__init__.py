"""What a span of a text states, word by word: the reading of words, and the operators that govern them."""

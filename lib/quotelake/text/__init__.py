"""The one text toolkit: fold, words, sentences, numbers, alignment, language, lexicon. Pure; knows no outcome."""

"""The measure of patterns: it finds those that take more than linear time, and lets linear ones pass."""

import re

import pytest

from quotelab.benchmarks.pumping import STEEP, worst_growth

#: Each was in the library once, or is the textbook's: a measure that calls one of them linear protects nothing.
SLOW = {
    "any blanks first": (r"\s*[,|/;(]\s*|\s+-\s+", "split"),
    "a lazy class and blanks": (r"\W*(\w[\w'’ -]*?)\s*(?:[:|\]]|\s[-–—]\s)", "match"),
    "anything, from each beginning": (r"\((?:additional )?reporting by .*\bediting by\b", "search"),
    "an alternative of a repeated class": (r"^\W*read more\s*(?:[.»]|\.\.\.|…)*$", "search"),
    "overlapping classes": (r"Ruiz[^\w.]*[,('](?:[^\w.]*[\w'’-]+){0,4}?[^\w.]+Bell", "search"),
    "digits before a sign": (r"\d+(?=퍼센트)", "findall"),
    "the last word": (r"(\S*)$", "search"),
    "a month, then a time": (r"\b(?:Jan|Feb)\b.*\d:\d\d", "search"),
    "an address, then an ellipsis": (r"https?://\S*\s*…$", "search"),
    "a repeat of a repeat": (r"(?:a+)+$", "match"),
    "two that read the same": (r"^\w*\d*x", "search"),
    "a quadratic end": (r"a(?:b|a)*\s*d", "search"),
    "bytes": (rb"\[+\]", "search"),
}
#: The same with the repeats bounded, possessive or begun at one place only.
LINEAR = {
    "blanks from the first": (r"(?>(?:(?<!\s)\s++)?)[,|/;(]\s*+|(?<!\s)\s++-\s++", "split"),
    "one class": (r"^\W*read more\s*[.»…]*$", "search"),
    "words": (r"\w++(?>(?:['’]\w++)*)", "findall"),
    "at most forty": (r"\([^)]{0,40}\)", "search"),
}


@pytest.mark.parametrize("name", [*SLOW, *LINEAR])
def test_the_measure_finds_slow_patterns_and_lets_linear_ones_pass(name: str):
    pattern, use = (SLOW | LINEAR)[name]
    found = worst_growth(re.compile(pattern), [use], 300)
    assert (found.exponent > STEEP) == (name in SLOW), found

"""Headline quotes compared with the body, in the order of their way.

``quotes`` (the two sides) and ``reading`` (a text word by word) → ``passages`` (where a quote's words stand) →
``factuality`` (what governs them in their clause, and by ``sentence`` in all of it), ``changes`` (which words differ),
``differences`` (what the headline lost) → ``fidelity`` (all of these for one quote) → ``comparison`` (what rules ask of
both, with ``letters`` and ``speakers``) → ``rules`` (the list, with ``in_quotes``) → ``features`` and ``detector``
(weigh what no rule settles) → ``decide`` → ``stage`` (the same in Spark). The answer is a ``judgement``.
"""

"""Headline quotes compared with the body; the modules, in the order a quote passes them.

``quotes`` (the two sides) and ``reading`` (a text word by word) → ``passages`` (where a quote's words are) →
``factuality`` (what governs them there), ``differences`` (what of it the headline lost) → ``matching`` (the nearest
passage and in what it differs) → ``comparison`` (that, with ``letters`` and ``speakers``) → ``rules`` (the list, with
the forms of a ``headline``) → ``features`` and ``detector`` (weigh what no rule settles) → ``decide`` → ``stage`` (in
Spark). The answer is a ``judgement``.
"""

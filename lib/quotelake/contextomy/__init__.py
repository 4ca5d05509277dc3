"""Headline quotes compared with the body, in the order of their way.

``quotes`` (the two sides) → ``comparison`` (what rules ask of both; measured by ``letters``, ``nearly``, ``senses``,
``scope``, ``speakers``) → ``rules`` (the list, with ``in_quotes``) → ``features`` and
``detector`` (weigh what no rule settles) → ``decide`` → ``stage`` (the same in Spark). The answer is a ``judgement``.
"""

"""Public tools that group near-duplicate texts, and ours, run alike on the same texts and compared with the truth.

An adapter is a module that runs one tool as a program of its own: ``python -m MODULE TEXTS GROUPS [option …]``. It
reads ``TEXTS`` (JSON Lines of ``id``, which is the number of the line from 0, and ``text``; not the truth) and writes
to ``GROUPS`` one line a text, in order: the name of its group, or nothing where it shares its group with no other text.
Without options a tool has its own defaults. ``contract`` is shared by the adapters. It needs the standard library only,
because the adapters of public tools run in environments that hold just that tool.

``tools`` lists the tools with their settings, ``running`` runs and measures one, ``tables`` shows the outcomes.
"""

"""The protocols of ``quotelab evaluate``: labels of people in, figures out.

A protocol's module has ``evaluate``, which takes its data and what the command makes of the options that it reads, such
as an encoder, and returns a report. Modules are imported by name, so that none pays for another one's libraries.
"""

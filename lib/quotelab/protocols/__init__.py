"""The protocols of ``quotelab evaluate``: labels of people in, figures out.

A protocol's module has ``evaluate``, which takes what it needs and returns a report; where the options of the command
do not hold that, such as an encoder, ``report`` takes them. A file that cannot be read, a row that is wrong and labels
that do not suffice are an InputError, which names file and line. Modules are imported when they are asked for, so that
none pays for another one's libraries.
"""

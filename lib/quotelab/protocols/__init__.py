"""The protocols of ``quotelab evaluate``: labels of people in, figures out.

A protocol's module has ``evaluate``, which takes what it needs and returns a report; where the options of the command
do not hold that, such as an encoder, ``report`` takes them. Each is imported when it is asked for, so that none pays
for another one's libraries.
"""

"""Who says a quote: the speaker, the cue and the full name, if the text tells."""

from quotelake.quotes.speakers.find import Speaker, find_speakers

__all__ = ("Speaker", "find_speakers")

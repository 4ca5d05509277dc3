"""Which vector stands for a context when its topic is compared: a setting of the scores, not of what is stored.

``raw`` is the vector b of the context as written, ``masked`` that of the context without the quote, m (Periti et al.
2024, +MASK), ``blend`` is unit(m + 0.2 b) [measured on TRoTR: +.005 Spearman over masked]. A topic head maps these
vectors to others of the same length (:mod:`quotelake.topics.head`); it was trained on a blend of its own, which then
takes the place of the setting. Each text is embedded once, whatever is made of its vector.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from quotelake.settings import TopicSettings
from quotelake.topics.head import TopicHead, Vectors, blend, load

NONE, SHIPPED = "none", "shipped"


@dataclass(frozen=True)
class Representation:
    """What stands for a context.

    Attributes:
        texts: ``raw``, ``masked`` or ``blend``; a head has a blend of its own.
        head: None where cosines are compared as the encoder gives them.
    """

    texts: str = "masked"
    head: TopicHead | None = None

    @property
    def name(self) -> str:
        """Name in ``topic_variation.representation``: it changes with whatever changes a score.

        >>> Representation("blend").name
        'blend'
        """
        return self._texts if self.head is None else f"{self._texts}+{self.head.version}"

    @property
    def has_head(self) -> bool:
        """Whether a topic head maps the vectors."""
        return self.head is not None

    @property
    def needs_masked(self) -> bool:
        """Whether vectors of masked contexts are used."""
        return self._texts != "raw"

    @property
    def needs_raw(self) -> bool:
        """Whether vectors of contexts as written are used."""
        return self._texts != "masked"

    def plain(self, masked: Vectors | None, raw: Vectors | None) -> Vectors:
        """Vectors before the head: (n, d), unit norm.

        Args:
            masked: (n, d), unit norm; needed where :attr:`needs_masked`.
            raw: the same, where :attr:`needs_raw`.
        """
        if not self.needs_raw:
            assert masked is not None
            return masked
        assert raw is not None
        if not self.needs_masked:
            return raw
        assert masked is not None
        return blend(masked, raw) if self.head is None else blend(masked, raw, self.head.card.raw_weight)

    def vectors(self, masked: Vectors | None, raw: Vectors | None) -> Vectors:
        """Vectors that are compared; arguments and shape as of :meth:`plain`.

        Raises:
            InputError: the head was trained on vectors of another dimension.
        """
        if self.head is None:
            return self.plain(masked, raw)
        assert masked is not None
        return self.head.apply(masked, np.zeros_like(masked) if raw is None else raw)

    @property
    def _texts(self) -> str:
        if self.head is None:
            return self.texts
        return "blend" if self.head.card.raw_weight else "masked"


def representation_of(settings: TopicSettings, model: str) -> Representation:
    """Representation that the settings name; loads and checks the head.

    Args:
        settings: ``representation`` and ``head``: ``none``, ``shipped``, or the path of a head.
        model: name or directory of the encoder.

    Raises:
        InputError: there is no such head, or it was trained on vectors of another encoder.
    """
    if settings.head == NONE:
        return Representation(settings.representation)
    head = load(None if settings.head == SHIPPED else Path(settings.head))
    head.check_encoder(model)
    return Representation(settings.representation, head)

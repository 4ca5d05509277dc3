"""Variants → reuse groups. At this depth a group is one canonical text: its anchor is its only variant."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.contracts import columns


def groups_of(variants: DataFrame, rule_version: str) -> DataFrame:
    """Group variants. Grain: a variant; ``group_id`` is the variant_id of the anchor, in any order of arrival."""
    stamped = members_of(variants).withColumn("rule_version", F.lit(rule_version))
    return stamped.select(*columns("variant_groups"))


def members_of(variants: DataFrame) -> DataFrame:
    """Every member of the groups that variants belong to. Grain: a variant; ``variant_id``, ``group_id``."""
    return variants.select("variant_id", F.col("variant_id").alias("group_id"))

"""Sources: files → raw records → documents or rejects. Every record ends as one or the other, never as neither.

``files`` lists what there is, ``streams`` opens and unpacks it, ``records`` finds the records, ``parse`` makes each a
document by the field mapping of its source and by ``dates``, ``language`` and ``rules``; ``read`` does so in Spark.
"""

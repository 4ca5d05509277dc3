"""Sources: files → raw records → documents or rejects. Every record becomes a document, a duplicate of one or a reject.

``files`` lists input files and chooses those to read, ``streams`` opens them and makes UTF-8 of them, ``records`` finds
the records by ``json_records`` and ``table_records``. ``parse`` turns a record into a document by the field mapping of
its source and the rules of ``editorial``; ``documents`` runs all of it in Spark, ``check`` the first records without.
"""

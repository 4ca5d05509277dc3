"""Sources: files → raw records → documents. Every record becomes a document, a duplicate of one or a reject."""

"""The watch-list: texts that users give, found in each document, in quotation marks or not."""

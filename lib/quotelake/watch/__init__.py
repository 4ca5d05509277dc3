"""The watch-list: texts that users give, found in every document, in quotation marks or not."""

"""What people open in a browser or a reader: the alert page, the morning page with its pictures, feeds."""

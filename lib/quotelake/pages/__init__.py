"""Pages and feeds for people: the alert page, the morning page with its pictures, Atom and JSON."""

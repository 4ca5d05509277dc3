"""Views for analysts: one ``SELECT`` each over the tables of a lake."""

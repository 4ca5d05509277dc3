"""Contracts of the tables: one DDL file each, read by the code, the tests and the people who query."""

"""Files of one machine: JSON lines read, outputs written whole or not at all."""

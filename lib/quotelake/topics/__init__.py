"""How much the topic of a quote varies from use to use: contexts, their vectors, topic variation."""

"""How the models that come with the code were made."""

"""The Profile page: where a person loses most, and ten minutes made from that."""

"""Where a person loses most, from recorded facts, and ten minutes of training made from that."""

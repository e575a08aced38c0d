"""What makes each variant different, one family a file; `registry` puts the parts together."""

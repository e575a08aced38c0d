"""The HTTP service: tables, search, games and builds as JSON. docs/service.md describes it."""

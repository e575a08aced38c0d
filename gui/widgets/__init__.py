"""Widgets that only draw and emit signals, without rules or services."""

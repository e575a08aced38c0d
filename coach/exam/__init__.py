"""Tests: sessions, their files, and the history."""

"""Tests: sessions, their files, and those of the past."""

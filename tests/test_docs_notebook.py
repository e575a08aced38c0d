"""The notebook of the documents: run as a reader runs it, it says what it says there."""

import copy
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parent.parent / "docs/tables-in-a-notebook.ipynb"


def said(notebook: nbformat.NotebookNode) -> list[list[str]]:
    """Return the output of each code cell: its lines; for drawings only their type."""
    return [
        [
            line
            for output in cell.outputs
            for line in output.get("text", "/".join(output.get("data", ()))).splitlines()
        ]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


@pytest.mark.thorough
@pytest.mark.timeout(600)
def test_the_notebook_says_what_it_says_there(project_root):
    there = nbformat.read(NOTEBOOK, as_version=4)
    here = copy.deepcopy(there)
    for cell in here.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    NotebookClient(here, timeout=600, resources={"metadata": {"path": project_root}}).execute()
    for one in here.cells:
        for output in one.get("outputs", ()):
            output.get("data", {}).pop("text/plain", None)  # beside a picture, its address
    assert said(here) == said(there)
    assert sum(map(len, said(there))) > 20


def test_the_notebook_names_nothing_of_the_machine_it_was_made_on():
    text = NOTEBOOK.read_text(encoding="utf-8")
    for word in ("/home/", "/tmp/", "/work", "/root", "C:\\\\", "Warning"):
        assert word not in text

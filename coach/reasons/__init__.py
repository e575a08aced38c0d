"""Why an AI's move is good, in one line: facts that anybody can check on the board."""

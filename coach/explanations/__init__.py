"""Why a move is a mistake: what new tiles do after it and after the best one, measured."""

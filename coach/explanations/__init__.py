"""Why a move is a mistake: the measured effect of new tiles after it and after the best move."""

"""A report of an analysis as it is in a file."""

MOVE = {
    "move": 11, "board": "1123000000000000", "played": "left", "grade": "blunder", "best": ["up"],
    "rates": {"left": 0.5, "right": None, "up": 0.75, "down": 0.7},
}  # fmt: skip
REPORT = {
    "format": "endgame2048-analysis", "version": 1, "file": "a.txt", "moves": 40, "points": 400,
    "largest_tile": 64,
    "segments": [
        {
            "table": "44_64", "match_rate": 0.67, "longest_combo": 0,
            "points_lost": 0.25, "points_of_luck": -0.5,
            "grades": {"blunder": 1}, "worst": [MOVE], "move_list": [MOVE, {**MOVE, "move": 12}],
        }
    ],
}  # fmt: skip

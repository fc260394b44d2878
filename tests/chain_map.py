"""The smallest map of Rescue Club on which each bonus completes the next line."""

CHAIN = """
[[areas]]
id = "A"
rows = ["KK"]
row_bonus = ["skybridge B"]
col_bonus = ["", "tree x2"]
[[areas]]
id = "B"
rows = ["KK"]
"""

"""Conway's game of life on an endless board, kept as a set of living cells."""

from collections import Counter

NEIGHBOURS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]


def parse(text):
    """Cells from rows of dots and letters O, the first row at the top."""
    cells = set()
    for y, row in enumerate(text.strip().splitlines()):
        for x, char in enumerate(row.strip()):
            if char == "O":
                cells.add((x, y))
            elif char != ".":
                raise ValueError(f"unexpected {char!r} in row {y + 1}")
    return cells


def step(cells):
    counts = Counter((x + dx, y + dy) for x, y in cells for dx, dy in NEIGHBOURS)
    return {cell for cell, count in counts.items() if count == 3 or (count == 2 and cell in cells)}


def run(cells, steps):
    for _ in range(steps):
        cells = step(cells)
    return cells


def bounds(cells):
    """Left, top, right and bottom, the last two included; None for an empty board."""
    if not cells:
        return None
    xs = [x for x, _ in cells]
    ys = [y for _, y in cells]
    return min(xs), min(ys), max(xs), max(ys)


def show(cells):
    box = bounds(cells)
    if box is None:
        return ""
    left, top, right, bottom = box
    rows = []
    for y in range(top, bottom + 1):
        rows.append("".join("O" if (x, y) in cells else "." for x in range(left, right + 1)))
    return "\n".join(rows)


def normalise(cells):
    """Moved so that it starts at the corner."""
    box = bounds(cells)
    if box is None:
        return frozenset()
    left, top = box[:2]
    return frozenset((x - left, y - top) for x, y in cells)


def classify(cells, most=50):
    """`dead`, `still`, `blinker 2`, `ship 4` … or `wild`."""
    start = normalise(cells)
    current = cells
    for count in range(1, most + 1):
        current = step(current)
        if not current:
            return "dead"
        if current == cells:
            return "still" if count == 1 else f"blinker {count}"
        if normalise(current) == start:
            return f"ship {count}"
    return "wild"

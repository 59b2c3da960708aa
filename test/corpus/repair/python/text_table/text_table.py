"""Plain-text tables: reading what people typed and writing it aligned."""

import re
from cells import Alignment, align, is_number


class Table:
    def __init__(self, header, rows=None):
        self.header = list(header)
        self.rows = [] if rows is None else [list(row) for row in rows]

    def add(self, *cells):
        if len(cells) > len(self.header):
            raise ValueError(f"{len(cells)} cells for {len(self.header)} columns")
        padded = [str(cell) for cell in cells] + [""] * (len(self.header) - len(cells))
        self.rows.append(padded)
        return self

    def column(self, name):
        at = self.header.index(name)
        return [row[at] for row in self.rows]

    def sort(self, name, reverse=False):
        at = self.header.index(name)
        numeric = all(is_number(row[at]) for row in self.rows)
        self.rows.sort(key=lambda row: float(row[at]) if numeric else row[at].lower(), reverse=reverse)
        return self

    def alignments(self):
        """Columns with nothing but numbers stand to the right."""
        result = []
        for at in range(len(self.header)):
            cells = [row[at] for row in self.rows if row[at]]
            numeric = bool(cells) and all(is_number(cell) for cell in cells)
            result.append(Alignment.RIGHT if numeric else Alignment.LEFT)
        return result

    def widths(self):
        return [max(len(row[at]) for row in [self.header, *self.rows]) for at in range(len(self.header))]

    def render(self):
        alignments, widths = self.alignments(), self.widths()

        def line(cells):
            shown = [align(cell, width, how) for cell, width, how in zip(cells, widths, alignments)]
            return "| " + " | ".join(shown) + " |"

        rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
        return "\n".join([line(self.header), rule] + [line(row) for row in self.rows])

    def where(self, name, wanted):
        at = self.header.index(name)
        return Table(self.header, [row for row in self.rows if row[at] == wanted])


def parse(text):
    """A table as `render` writes it; rules and blank lines are skipped."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    rows = []
    for line in lines:
        if re.fullmatch(r"[|\-\s:]+", line):
            continue
        if not (line.startswith("|") and line.endswith("|") and len(line) > 1):
            raise ValueError(f"not a row: {line}")
        rows.append([cell.strip() for cell in line[1:-1].split("|")])
    if not rows:
        raise ValueError("no header")
    table = Table(rows[0])
    for row in rows[1:]:
        table.add(*row)
    return table

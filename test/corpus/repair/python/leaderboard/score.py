"""One player's score; more points come first, then who had them earlier, then the name."""

from functools import total_ordering


@total_ordering
class Score:
    def __init__(self, name, points, at):
        self.name = name
        self.points = points
        self.at = at

    def key(self):
        return (-self.points, self.at, self.name.lower())

    def __eq__(self, other):
        return self.key() == other.key()

    def __lt__(self, other):
        return self.key() < other.key()

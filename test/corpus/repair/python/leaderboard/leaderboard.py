"""Scores of players: ranks with ties, pages, and what changed between two tables."""

from score import Score


class Leaderboard:
    def __init__(self, best_only=True):
        self.best_only = best_only
        self.scores = {}

    def submit(self, player, points, at=0):
        """True when the player's score has become better."""
        name = player.strip()
        if not name:
            raise ValueError("a player needs a name")
        known = self.scores.get(name)
        if known is None:
            self.scores[name] = Score(name, points, at)
            return True
        if self.best_only:
            if points <= known.points:
                return False
            self.scores[name] = Score(name, points, at)
        else:
            self.scores[name] = Score(name, known.points + points, at)
        return self.scores[name].points > known.points

    def table(self):
        """Rows (rank, name, points); equal points share a rank and the next ranks are left out."""
        rows = []
        rank = 0
        previous = None
        for position, score in enumerate(sorted(self.scores.values()), start=1):
            if score.points != previous:
                rank = position
                previous = score.points
            rows.append((rank, score.name, score.points))
        return rows

    def rank_of(self, player):
        for rank, name, _ in self.table():
            if name == player:
                return rank
        return None

    def page(self, number, size=10):
        start = (number - 1) * size
        return self.table()[start:start + size]

    def pages(self, size=10):
        return (len(self.scores) + size - 1) // size

    def around(self, player, reach=1):
        """The player's row with so many rows on both sides."""
        rows = self.table()
        for at, row in enumerate(rows):
            if row[1] == player:
                return rows[max(0, at - reach):at + reach + 1]
        return []


def movements(before, after):
    """Name → places won (positive) or lost; newcomers are left out."""
    old = {name: rank for rank, name, _ in before}
    return {name: old[name] - rank for rank, name, _ in after if name in old}


def percentile(board, player):
    """Share of the other players who have fewer points, in percent."""
    score = board.scores[player]
    others = [other for other in board.scores.values() if other.name != player]
    if not others:
        return 100
    beaten = sum(1 for other in others if other.points < score.points)
    return round(100 * beaten / len(others))

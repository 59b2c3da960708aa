import unittest

from leaderboard import Leaderboard, movements, percentile


def board_of(**points):
    board = Leaderboard()
    for name, value in points.items():
        board.submit(name, value)
    return board


class LeaderboardTest(unittest.TestCase):
    def test_best_score_is_kept(self):
        board = board_of(ann=10)
        self.assertFalse(board.submit("ann", 8))
        self.assertTrue(board.submit("ann", 12))
        self.assertEqual(board.table(), [(1, "ann", 12)])

    def test_scores_can_be_added_up(self):
        board = Leaderboard(best_only=False)
        board.submit("ann", 5)
        self.assertTrue(board.submit("ann", 3))
        self.assertEqual(board.table(), [(1, "ann", 8)])

    def test_names_are_trimmed(self):
        board = board_of(ann=1)
        board.submit(" ann ", 2)
        self.assertEqual(len(board.scores), 1)
        with self.assertRaises(ValueError):
            board.submit("  ", 1)

    def test_ties_share_a_rank(self):
        board = board_of(a=5, b=7, c=5, d=1)
        self.assertEqual(board.table(), [(1, "b", 7), (2, "a", 5), (2, "c", 5), (4, "d", 1)])

    def test_earlier_comes_first(self):
        board = Leaderboard()
        board.submit("late", 5, at=9)
        board.submit("soon", 5, at=2)
        self.assertEqual([name for _, name, _ in board.table()], ["soon", "late"])

    def test_pages(self):
        board = board_of(a=5, b=4, c=3, d=2, e=1)
        self.assertEqual([name for _, name, _ in board.page(2, 2)], ["c", "d"])
        self.assertEqual(board.pages(2), 3)
        self.assertEqual(board.pages(5), 1)

    def test_around(self):
        board = board_of(a=5, b=4, c=3, d=2)
        self.assertEqual([name for _, name, _ in board.around("b")], ["a", "b", "c"])
        self.assertEqual([name for _, name, _ in board.around("a")], ["a", "b"])
        self.assertEqual(board.around("z"), [])

    def test_movements(self):
        before = [(1, "a", 5), (2, "b", 4)]
        after = [(1, "b", 9), (2, "n", 8), (3, "a", 5)]
        self.assertEqual(movements(before, after), {"b": 1, "a": -2})

    def test_percentile(self):
        board = board_of(a=5, b=4, c=3, d=3, e=9)
        self.assertEqual(percentile(board, "a"), 75)
        self.assertEqual(board.rank_of("c"), 4)


if __name__ == "__main__":
    unittest.main()

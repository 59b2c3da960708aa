import random
import unittest

from leaderboard import Leaderboard, movements, percentile


class LeaderboardHiddenTest(unittest.TestCase):
    def setUp(self):
        chance = random.Random(4)
        self.board = Leaderboard()
        for number in range(23):
            self.board.submit(f"p{number}", chance.randrange(12), at=chance.randrange(5))

    def test_rank_is_one_more_than_those_above(self):
        rows = self.board.table()
        for rank, _, points in rows:
            self.assertEqual(rank, 1 + sum(1 for _, _, other in rows if other > points))

    def test_pages_make_the_table(self):
        for size in (1, 4, 23, 50):
            pages = [self.board.page(number, size) for number in range(1, self.board.pages(size) + 1)]
            self.assertEqual([row for page in pages for row in page], self.board.table())
            self.assertTrue(all(pages))

    def test_empty(self):
        board = Leaderboard()
        self.assertEqual((board.table(), board.pages(), board.page(1), board.rank_of("x")), ([], 0, [], None))

    def test_an_equal_score_is_no_better(self):
        board = Leaderboard()
        self.assertTrue(board.submit("a", 0, at=1))
        self.assertFalse(board.submit("a", 0, at=0))
        self.assertEqual(board.scores["a"].at, 1)

    def test_adding_nothing_is_no_better(self):
        board = Leaderboard(best_only=False)
        board.submit("a", 4)
        self.assertFalse(board.submit("a", 0))
        self.assertFalse(board.submit("a", -2))
        self.assertEqual(board.scores["a"].points, 2)

    def test_order_among_equals(self):
        board = Leaderboard()
        for name, at in (("b", 1), ("A", 1), ("c", 0)):
            board.submit(name, 3, at)
        self.assertEqual([name for _, name, _ in board.table()], ["c", "A", "b"])

    def test_around_with_more_reach(self):
        rows = self.board.table()
        middle = rows[10][1]
        self.assertEqual(self.board.around(middle, 3), rows[7:14])
        self.assertEqual(self.board.around(rows[-1][1], 2), rows[-3:])
        self.assertEqual(self.board.around(middle, 0), [rows[10]])
        self.assertEqual(self.board.around(rows[1][1], 4), rows[:6])

    def test_movements_of_the_same_table(self):
        rows = self.board.table()
        self.assertEqual(set(movements(rows, rows).values()), {0})
        self.assertEqual(movements([], rows), {})
        self.assertEqual(movements([(5, "x", 1)], [(2, "x", 3)]), {"x": 3})

    def test_percentiles(self):
        board = Leaderboard()
        board.submit("only", 3)
        self.assertEqual(percentile(board, "only"), 100)
        board.submit("tie", 3)
        self.assertEqual(percentile(board, "only"), 0)
        board.submit("low", 1)
        self.assertEqual(percentile(board, "tie"), 50)

    def test_ranks(self):
        for rank, name, _ in self.board.table():
            self.assertEqual(self.board.rank_of(name), rank)


if __name__ == "__main__":
    unittest.main()

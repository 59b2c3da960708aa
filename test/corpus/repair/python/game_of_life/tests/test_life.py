import unittest

from life import bounds, classify, normalise, parse, run, show, step

GLIDER = """
.O.
..O
OOO
"""


class LifeTest(unittest.TestCase):
    def test_parsing(self):
        self.assertEqual(parse(".O\nO."), {(1, 0), (0, 1)})
        with self.assertRaises(ValueError):
            parse(".x")

    def test_a_block_stays(self):
        block = parse("OO\nOO")
        self.assertEqual(step(block), block)

    def test_a_row_of_three_turns(self):
        self.assertEqual(step({(0, 1), (1, 1), (2, 1)}), {(1, 0), (1, 1), (1, 2)})

    def test_a_lonely_cell_dies(self):
        self.assertEqual(step({(5, 5)}), set())

    def test_many_steps(self):
        self.assertEqual(normalise(run(parse(GLIDER), 4)), normalise(parse(GLIDER)))

    def test_bounds(self):
        self.assertEqual(bounds({(1, 5), (3, 2)}), (1, 2, 3, 5))
        self.assertIsNone(bounds(set()))
        self.assertEqual(normalise({(5, 1), (6, 3)}), {(0, 0), (1, 2)})

    def test_showing(self):
        self.assertEqual(show({(4, 4), (6, 5)}), "O..\n..O")

    def test_kinds(self):
        self.assertEqual(classify(parse("OO\nOO")), "still")
        self.assertEqual(classify(parse("OOO")), "blinker 2")
        self.assertEqual(classify(parse("O")), "dead")
        self.assertEqual(classify(parse(GLIDER)), "ship 4")


if __name__ == "__main__":
    unittest.main()

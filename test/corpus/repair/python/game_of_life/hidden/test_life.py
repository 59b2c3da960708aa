import random
import unittest

from life import bounds, classify, normalise, parse, run, show, step


def slow_step(cells):
    found = set()
    for x in range(-2, 12):
        for y in range(-2, 12):
            count = sum((x + dx, y + dy) in cells for dx in (-1, 0, 1) for dy in (-1, 0, 1)) - ((x, y) in cells)
            if count == 3 or (count == 2 and (x, y) in cells):
                found.add((x, y))
    return found


class LifeHiddenTest(unittest.TestCase):
    def test_steps_agree_with_counting(self):
        for seed in range(15):
            chance = random.Random(seed)
            cells = {(chance.randrange(9), chance.randrange(9)) for _ in range(30)}
            self.assertEqual(step(cells), slow_step(cells))

    def test_crowds_die(self):
        self.assertNotIn((1, 1), step(parse("OOO\nOOO\nOOO")))
        self.assertNotIn((1, 1), step(parse(".O.\nOOO\n.O.")))

    def test_four_around_do_not_bear(self):
        self.assertNotIn((1, 1), step(parse("O.O\n...\nO.O")))

    def test_the_start_is_left_alone(self):
        cells = parse("OOO")
        run(cells, 3)
        self.assertEqual(cells, {(0, 0), (1, 0), (2, 0)})
        self.assertEqual(run(cells, 0), cells)

    def test_the_glider_moves_down_and_right(self):
        glider = parse(".O.\n..O\nOOO")
        self.assertEqual(run(glider, 4), {(x + 1, y + 1) for x, y in glider})
        self.assertEqual(run(glider, 40), {(x + 10, y + 10) for x, y in glider})

    def test_bounds_of_negative_cells(self):
        self.assertEqual(bounds({(-3, 4), (2, -1)}), (-3, -1, 2, 4))
        self.assertEqual(bounds({(7, 7)}), (7, 7, 7, 7))

    def test_showing_and_parsing_agree(self):
        for text in ("O", "O.O\n.O.", "OO\n.O\n.O"):
            self.assertEqual(show(parse(text)), text)
        self.assertEqual(show(set()), "")
        self.assertEqual(show({(-1, -1), (0, 0)}), "O.\n.O")

    def test_normalised(self):
        self.assertEqual(normalise({(5, -2), (6, 0)}), {(0, 0), (1, 2)})
        self.assertEqual(normalise(set()), frozenset())

    def test_longer_periods(self):
        self.assertEqual(classify(parse("OO..\nOO..\n..OO\n..OO")), "blinker 2")
        self.assertEqual(classify(parse("OO.")), "dead")
        self.assertEqual(classify(parse(".OO\nOO.\n.O."), 10), "wild")
        self.assertEqual(classify(parse("O..O.\n....O\nO...O\n.OOOO")), "ship 4")

    def test_errors_name_the_row(self):
        with self.assertRaisesRegex(ValueError, "row 2"):
            parse("..\n.?")


if __name__ == "__main__":
    unittest.main()

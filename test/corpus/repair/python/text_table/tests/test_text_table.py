import unittest

from cells import is_number
from text_table import Table, parse


def fruit():
    return Table(["name", "price"]).add("fig", 12).add("Apple", 9).add("plum", 100)


class TextTableTest(unittest.TestCase):
    def test_rendering(self):
        self.assertEqual(fruit().render(), "\n".join([
            "| name  | price |",
            "|-------|-------|",
            "| fig   |    12 |",
            "| Apple |     9 |",
            "| plum  |   100 |",
        ]))

    def test_short_rows_are_filled(self):
        self.assertEqual(Table(["a", "b"]).add("x").rows, [["x", ""]])

    def test_long_rows_are_refused(self):
        with self.assertRaises(ValueError):
            Table(["a"]).add("x", "y")

    def test_tables_do_not_share_rows(self):
        Table(["a"]).add("x")
        self.assertEqual(Table(["a"]).rows, [])

    def test_sorting_by_number(self):
        self.assertEqual(fruit().sort("price").column("price"), ["9", "12", "100"])

    def test_sorting_by_word(self):
        self.assertEqual(fruit().sort("name").column("name"), ["Apple", "fig", "plum"])
        self.assertEqual(fruit().sort("name", reverse=True).column("name"), ["plum", "fig", "Apple"])

    def test_choosing_rows(self):
        self.assertEqual(fruit().where("name", "fig").rows, [["fig", "12"]])

    def test_parsing(self):
        table = parse("| a | b |\n|---|---|\n\n| 1 | two words |\n")
        self.assertEqual((table.header, table.rows), (["a", "b"], [["1", "two words"]]))

    def test_parsing_nonsense(self):
        with self.assertRaises(ValueError):
            parse("a b c")
        with self.assertRaises(ValueError):
            parse("")

    def test_numbers(self):
        self.assertTrue(is_number("-1.5"))
        self.assertFalse(is_number("1.5x"))


if __name__ == "__main__":
    unittest.main()

import unittest

from cells import Alignment, align, is_number
from text_table import Table, parse


class TextTableHiddenTest(unittest.TestCase):
    def test_there_and_back(self):
        table = Table(["id", "city", "n"]).add(1, "Oslo", "-3.5").add(20, "Rome or so", "").add(300, "", 7)
        again = parse(table.render())
        self.assertEqual((again.header, again.rows), (table.header, table.rows))

    def test_all_lines_have_one_width(self):
        table = Table(["a", "long header"]).add("a long cell", 1).add("b", 22222)
        self.assertEqual(len({len(line) for line in table.render().splitlines()}), 1)

    def test_header_may_be_widest(self):
        self.assertEqual(Table(["wide", "b"]).add("x", "yy").widths(), [4, 2])
        self.assertEqual(Table(["a", "b"]).widths(), [1, 1])
        self.assertEqual(Table(["a"]).render(), "| a |\n|---|")

    def test_alignments(self):
        table = Table(["n", "mixed", "empty", "gaps"]).add(1, 2, "", 5).add("-2.5", "x", "", "")
        self.assertEqual(table.alignments(), [Alignment.RIGHT, Alignment.LEFT, Alignment.LEFT, Alignment.RIGHT])

    def test_sorting(self):
        table = Table(["k", "v"]).add("b", "10").add("a", "x").add("C", "9")
        self.assertEqual(table.sort("v").column("v"), ["10", "9", "x"])
        self.assertEqual(table.sort("k").column("k"), ["a", "b", "C"])
        numbers = Table(["n"]).add("-1").add("10").add("9.5")
        self.assertEqual(numbers.sort("n", reverse=True).column("n"), ["10", "9.5", "-1"])

    def test_unknown_columns(self):
        self.assertRaises(ValueError, Table(["a"]).column, "b")
        self.assertRaises(ValueError, Table(["a"]).sort, "b")

    def test_choosing_leaves_the_table_alone(self):
        table = Table(["a", "b"]).add(1, 2).add(1, 3).add(2, 2)
        chosen = table.where("a", "1")
        chosen.rows[0][1] = "changed"
        self.assertEqual(len(chosen.rows), 2)
        self.assertEqual(table.rows[0], ["1", "2"])
        self.assertEqual(table.where("b", "9").rows, [])

    def test_given_rows_are_copied(self):
        rows = [["x"]]
        table = Table(["a"], rows)
        table.add("y")
        self.assertEqual(rows, [["x"]])

    def test_parsing_in_detail(self):
        self.assertEqual(parse("  | a |\n |:--|\n | |").rows, [])
        self.assertEqual(parse("| a | b |\n| x |").rows, [["x", ""]])
        self.assertRaises(ValueError, parse, "| a |\n| x")
        self.assertRaises(ValueError, parse, "|---|")
        self.assertRaises(ValueError, parse, "| a |\n| x | y |")

    def test_numbers(self):
        for text, expected in (("0", True), ("+7", True), ("", False), ("1.", False), (".5", False), ("1 2", False), ("12.50", True)):
            self.assertIs(is_number(text), expected)

    def test_aligning(self):
        self.assertEqual(align("ab", 4, Alignment.LEFT), "ab  ")
        self.assertEqual(align("ab", 4, Alignment.RIGHT), "  ab")
        self.assertEqual(align("abc", 2, Alignment.RIGHT), "abc")


if __name__ == "__main__":
    unittest.main()

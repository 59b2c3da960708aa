import unittest

from roman import NumeralError, add, chapters, from_roman, is_roman, to_roman


class RomanHiddenTest(unittest.TestCase):
    def test_there_and_back(self):
        for number in range(1, 4000):
            self.assertEqual(from_roman(to_roman(number)), number)

    def test_all_numerals_differ(self):
        self.assertEqual(len({to_roman(number) for number in range(1, 4000)}), 3999)

    def test_known_years(self):
        for number, numeral in ((1066, "MLXVI"), (1789, "MDCCLXXXIX"), (2024, "MMXXIV"), (444, "CDXLIV")):
            self.assertEqual(to_roman(number), numeral)
            self.assertEqual(from_roman(numeral.lower()), number)

    def test_edges(self):
        self.assertEqual(to_roman(1), "I")
        self.assertRaises(NumeralError, to_roman, 0)
        self.assertRaises(NumeralError, to_roman, 4000)
        self.assertRaises(NumeralError, to_roman, "5")
        self.assertRaises(NumeralError, to_roman, False)

    def test_bad_texts(self):
        for text in ("IL", "XXXX", "VV", "IXI", "MMMM", "M M", "   ", "IIX", "XIIII"):
            self.assertRaises(NumeralError, from_roman, text)

    def test_is_roman(self):
        self.assertTrue(is_roman("mmxxiv"))
        self.assertFalse(is_roman("0"))

    def test_adding_too_much(self):
        self.assertEqual(add("MMM", "CMXCIX"), "MMMCMXCIX")
        self.assertRaises(NumeralError, add, "MMM", "M")
        self.assertEqual(add("II"), "II")

    def test_chapters(self):
        self.assertEqual(len(chapters(12)), 12)
        self.assertEqual(chapters(8, "Book")[6:], ["Book  VII", "Book VIII"])
        self.assertEqual(chapters(1), ["Chapter I"])


if __name__ == "__main__":
    unittest.main()

import unittest

from roman import NumeralError, add, chapters, from_roman, is_roman, to_roman


class RomanTest(unittest.TestCase):
    def test_small_numbers(self):
        self.assertEqual([to_roman(n) for n in (1, 2, 3, 5, 6, 10)], ["I", "II", "III", "V", "VI", "X"])

    def test_subtracted_letters(self):
        self.assertEqual([to_roman(n) for n in (4, 9, 40, 90, 400, 900)], ["IV", "IX", "XL", "XC", "CD", "CM"])

    def test_large_number(self):
        self.assertEqual(to_roman(1994), "MCMXCIV")
        self.assertEqual(to_roman(3999), "MMMCMXCIX")

    def test_numbers_without_numeral(self):
        for number in (0, -1, 4000, 1.5, True):
            with self.assertRaises(NumeralError):
                to_roman(number)

    def test_reading(self):
        self.assertEqual(from_roman("MCMXCIV"), 1994)
        self.assertEqual(from_roman("XIV"), 14)

    def test_reading_is_tolerant_of_case_and_space(self):
        self.assertEqual(from_roman(" xii "), 12)

    def test_wrongly_written(self):
        for text in ("IIII", "VX", "IC", "", "ABC"):
            self.assertFalse(is_roman(text), text)

    def test_adding(self):
        self.assertEqual(add("IV", "V", "I"), "X")

    def test_chapters_are_aligned(self):
        self.assertEqual(chapters(3), ["Chapter   I", "Chapter  II", "Chapter III"])
        self.assertEqual(chapters(0), [])


if __name__ == "__main__":
    unittest.main()

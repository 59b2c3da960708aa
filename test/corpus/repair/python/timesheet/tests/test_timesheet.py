import unittest

from timesheet import Shift, clock, longest_rest, overtime, parse_shift, pay


class TimesheetTest(unittest.TestCase):
    def test_parsing(self):
        shift = parse_shift("9:00 - 17:30 break 30")
        self.assertEqual((shift.start, shift.end, shift.minutes), (540, 1050, 480))

    def test_parsing_bad_texts(self):
        for text in ("9 to 5", "25:00-26:00", "9:00-9:60"):
            with self.assertRaises(ValueError):
                parse_shift(text)

    def test_past_midnight(self):
        self.assertEqual(parse_shift("22:00-6:00").minutes, 480)

    def test_break_longer_than_shift(self):
        with self.assertRaises(ValueError):
            Shift(60, 120, 60)

    def test_night(self):
        self.assertEqual(parse_shift("20:00-23:00").night_minutes(), 60)
        self.assertEqual(parse_shift("4:00-10:00").night_minutes(), 120)
        self.assertEqual(parse_shift("9:00-17:00").night_minutes(), 0)

    def test_clock(self):
        self.assertEqual(clock(485), "8:05")

    def test_overtime(self):
        week = [parse_shift("9:00-18:00")] * 5
        self.assertEqual(overtime(week), 300)
        self.assertEqual(overtime(week[:2]), 0)

    def test_pay(self):
        self.assertEqual(pay([parse_shift("9:00-17:00")], 2000), 16000)
        self.assertEqual(pay([parse_shift("9:00-18:00")] * 5, 2000), 95000)
        self.assertEqual(pay([parse_shift("22:00-2:00")], 2000), 10000)

    def test_rest(self):
        shifts = [parse_shift(text) for text in ("18:00-20:00", "8:00-10:00", "11:00-12:00")]
        self.assertEqual(longest_rest(shifts), 360)


if __name__ == "__main__":
    unittest.main()

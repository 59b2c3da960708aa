import unittest

from timesheet import Shift, clock, longest_rest, overtime, parse_shift, pay


class TimesheetHiddenTest(unittest.TestCase):
    def test_night_agrees_with_counting(self):
        for start in range(0, 1440, 97):
            for length in range(30, 1440, 131):
                shift = Shift(start, (start + length) % 1440)
                counted = sum(1 for at in range(start, start + length) if at % 1440 >= 1320 or at % 1440 < 360)
                self.assertEqual(shift.night_minutes(), counted)

    def test_length_is_kept(self):
        for start in range(0, 1440, 61):
            for length in range(1, 1440, 173):
                self.assertEqual(Shift(start, (start + length) % 1440).minutes, length)

    def test_a_whole_day(self):
        self.assertEqual(parse_shift("8:00-8:00").minutes, 1440)
        self.assertEqual(parse_shift("8:00-8:00").night_minutes(), 480)

    def test_texts(self):
        self.assertEqual(parse_shift("  0:00-23:59  BREAK 9 ").minutes, 1430)
        self.assertEqual(parse_shift("07:05-8:00").start, 425)
        for text in ("", "9:00", "9:0-10:00", "9:00-24:00", "9:00-10:00 break", "9:61-10:00"):
            self.assertRaises(ValueError, parse_shift, text)

    def test_breaks(self):
        self.assertRaises(ValueError, Shift, 0, 100, -1)
        self.assertRaises(ValueError, Shift, 0, 100, 101)
        self.assertRaises(ValueError, Shift, 0, 100, 100)
        self.assertEqual(Shift(0, 100, 99).minutes, 1)

    def test_clock(self):
        self.assertEqual([clock(n) for n in (0, 59, 60, 1439)], ["0:00", "0:59", "1:00", "23:59"])

    def test_overtime_edges(self):
        eight = parse_shift("8:00-16:00")
        self.assertEqual(overtime([eight] * 5), 0)
        self.assertEqual(overtime([eight] * 5, 39 * 60), 60)
        self.assertEqual(overtime([]), 0)

    def test_pay_in_detail(self):
        self.assertEqual(pay([], 2000), 0)
        self.assertEqual(pay([parse_shift("9:00-10:00 break 30")], 1000), 500)
        self.assertEqual(pay([parse_shift("9:00-11:00")], 1000, 60), 2500)
        self.assertEqual(pay([parse_shift("21:00-23:00")], 1200), 2700)

    def test_rests(self):
        self.assertEqual(longest_rest([]), 0)
        self.assertEqual(longest_rest([parse_shift("8:00-9:00")]), 0)
        self.assertEqual(longest_rest([parse_shift("10:00-11:00"), parse_shift("8:00-9:00")]), 60)


if __name__ == "__main__":
    unittest.main()

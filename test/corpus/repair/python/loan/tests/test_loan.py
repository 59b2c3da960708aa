import unittest
from datetime import date

from loan import Row, add_months, annuity, late_fee, left_after, monthly_interest, next_working_day, saved_by, schedule, total_interest


class DatesTest(unittest.TestCase):
    def test_same_day(self):
        self.assertEqual(add_months(date(2024, 3, 15), 1), date(2024, 4, 15))
        self.assertEqual(add_months(date(2024, 3, 15), 0), date(2024, 3, 15))

    def test_next_year(self):
        self.assertEqual(add_months(date(2024, 11, 5), 2), date(2025, 1, 5))
        self.assertEqual(add_months(date(2024, 11, 5), 13), date(2025, 12, 5))

    def test_short_months(self):
        self.assertEqual(add_months(date(2024, 1, 31), 1), date(2024, 2, 29))
        self.assertEqual(add_months(date(2023, 1, 31), 1), date(2023, 2, 28))
        self.assertEqual(add_months(date(2024, 1, 31), 2), date(2024, 3, 31))

    def test_weekends(self):
        self.assertEqual(next_working_day(date(2024, 3, 1)), date(2024, 3, 1))
        self.assertEqual(next_working_day(date(2024, 3, 2)), date(2024, 3, 4))
        self.assertEqual(next_working_day(date(2024, 3, 3)), date(2024, 3, 4))

    def test_holidays(self):
        holidays = {date(2024, 3, 29), date(2024, 4, 1)}
        self.assertEqual(next_working_day(date(2024, 3, 29), holidays), date(2024, 4, 2))


class InterestTest(unittest.TestCase):
    def test_one_month(self):
        self.assertEqual(monthly_interest(120_000, 600), 600)
        self.assertEqual(monthly_interest(0, 600), 0)

    def test_rounding(self):
        self.assertEqual(monthly_interest(100, 600), 1)
        self.assertEqual(monthly_interest(99, 600), 0)

    def test_without_interest(self):
        self.assertEqual(annuity(1200, 0, 12), 100)
        self.assertEqual(annuity(1000, 0, 3), 334)

    def test_payment_is_just_enough(self):
        payment = annuity(1_000_000, 500, 12)
        self.assertEqual(payment, 85_608)
        self.assertLessEqual(left_after(1_000_000, 500, payment, 12), 0)
        self.assertGreater(left_after(1_000_000, 500, payment - 1, 12), 0)

    def test_bad_loans(self):
        for loan in ((0, 500, 12), (1000, 500, 0), (1000, -1, 12)):
            with self.assertRaises(ValueError):
                annuity(*loan)


class ScheduleTest(unittest.TestCase):
    def test_first_row(self):
        row = schedule(120_000, 600, 12, date(2024, 1, 10))[0]
        self.assertEqual(row, Row(1, date(2024, 2, 12), 10_328, 600, 9_728, 110_272))

    def test_ends_with_nothing(self):
        rows = schedule(120_000, 600, 12, date(2024, 1, 10))
        self.assertEqual(len(rows), 12)
        self.assertEqual(rows[-1].balance, 0)
        self.assertEqual(sum(row.principal for row in rows), 120_000)
        self.assertLessEqual(rows[-1].payment, rows[0].payment)

    def test_due_dates_do_not_drift(self):
        rows = schedule(1200, 0, 3, date(2024, 1, 31))
        self.assertEqual([row.due for row in rows], [date(2024, 2, 29), date(2024, 4, 1), date(2024, 4, 30)])

    def test_extra_payments(self):
        rows = schedule(1200, 0, 12, date(2024, 1, 1), {2: 500})
        self.assertEqual([row.payment for row in rows], [100, 600, 100, 100, 100, 100, 100])

    def test_everything_at_once(self):
        rows = schedule(120_000, 600, 12, date(2024, 1, 10), {1: 999_999})
        self.assertEqual([(row.payment, row.balance) for row in rows], [(120_600, 0)])

    def test_total_interest(self):
        rows = schedule(120_000, 600, 12, date(2024, 1, 10))
        self.assertEqual(total_interest(rows), sum(row.payment for row in rows) - 120_000)

    def test_saved(self):
        self.assertEqual(saved_by(1200, 0, 12, date(2024, 1, 1), {2: 500}), (0, 5))
        interest, months = saved_by(120_000, 600, 12, date(2024, 1, 10), {1: 60_000})
        self.assertEqual((interest, months), (2583, 6))


class LateFeeTest(unittest.TestCase):
    def setUp(self):
        self.row = Row(1, date(2024, 3, 1), 20_000, 0, 20_000, 0)

    def test_in_time(self):
        self.assertEqual(late_fee(self.row, date(2024, 2, 20)), 0)
        self.assertEqual(late_fee(self.row, date(2024, 3, 6)), 0)

    def test_late(self):
        self.assertEqual(late_fee(self.row, date(2024, 3, 7)), 800)

    def test_least(self):
        self.assertEqual(late_fee(self.row._replace(payment=5000), date(2024, 3, 7)), 500)


if __name__ == "__main__":
    unittest.main()

import unittest
from datetime import date, timedelta

from loan import Row, add_months, annuity, late_fee, left_after, monthly_interest, next_working_day, saved_by, schedule, total_interest

LOANS = ((50_000, 350, 6), (999_999, 1250, 24), (7_777, 0, 5), (250_000, 99, 36), (1, 100, 1))


class LoanHiddenTest(unittest.TestCase):
    def test_months_over_years(self):
        start = date(2023, 12, 31)
        self.assertEqual(
            [add_months(start, months) for months in (1, 2, 4, 12, 14)],
            [date(2024, 1, 31), date(2024, 2, 29), date(2024, 4, 30), date(2024, 12, 31), date(2025, 2, 28)],
        )

    def test_december(self):
        self.assertEqual(add_months(date(2024, 12, 1), 0), date(2024, 12, 1))
        self.assertEqual(add_months(date(2024, 6, 1), 6), date(2024, 12, 1))

    def test_working_days(self):
        for offset in range(14):
            day = date(2024, 5, 6) + timedelta(days=offset)
            found = next_working_day(day)
            self.assertLess(found.weekday(), 5)
            self.assertEqual(found, day if day.weekday() < 5 else day + timedelta(days=7 - day.weekday()))

    def test_a_holiday_before_a_weekend(self):
        self.assertEqual(next_working_day(date(2024, 5, 10), [date(2024, 5, 10)]), date(2024, 5, 13))
        self.assertEqual(next_working_day(date(2024, 5, 11), [date(2024, 5, 13)]), date(2024, 5, 14))

    def test_interest(self):
        self.assertEqual([monthly_interest(balance, 1200) for balance in (0, 49, 50, 149, 150, 10_000)], [0, 0, 1, 1, 2, 100])
        self.assertEqual(monthly_interest(1_000_000, 0), 0)

    def test_payments_are_least(self):
        for amount, rate, months in LOANS:
            payment = annuity(amount, rate, months)
            self.assertLessEqual(left_after(amount, rate, payment, months), 0)
            self.assertGreater(left_after(amount, rate, payment - 1, months), 0)

    def test_known_payments(self):
        self.assertEqual(annuity(10_000, 0, 7), 1429)
        self.assertEqual(annuity(100_000, 1200, 1), 101_000)
        self.assertEqual(annuity(200_000, 480, 24), 8757)

    def test_what_is_no_loan(self):
        for loan in ((-5, 1, 1), (5, 1, -1), (5, -1, 1), (0, 0, 0)):
            self.assertRaises(ValueError, annuity, *loan)

    def test_rows_add_up(self):
        for amount, rate, months in LOANS:
            rows = schedule(amount, rate, months, date(2024, 8, 31))
            self.assertEqual(sum(row.principal for row in rows), amount)
            self.assertEqual([row.number for row in rows], list(range(1, len(rows) + 1)))
            balance = amount
            for row in rows:
                self.assertEqual(row.interest, monthly_interest(balance, rate))
                self.assertEqual(row.payment, row.interest + row.principal)
                balance -= row.principal
                self.assertEqual(row.balance, balance)
            self.assertEqual(balance, 0)
            self.assertTrue(all(row.payment == rows[0].payment for row in rows[:-1]))

    def test_due_dates(self):
        rows = schedule(500, 0, 5, date(2024, 8, 31), holidays={date(2024, 10, 31)})
        self.assertEqual(
            [row.due for row in rows],
            [date(2024, 9, 30), date(2024, 11, 1), date(2024, 12, 2), date(2024, 12, 31), date(2025, 1, 31)],
        )

    def test_extra_in_the_last_month(self):
        rows = schedule(300, 0, 3, date(2024, 1, 1), {3: 50})
        self.assertEqual([row.payment for row in rows], [100, 100, 100])
        rows = schedule(300, 0, 3, date(2024, 1, 1), {1: 50, 2: 20})
        self.assertEqual([row.payment for row in rows], [150, 120, 30])

    def test_interest_in_all(self):
        rows = schedule(200_000, 480, 24, date(2024, 1, 1))
        self.assertEqual(total_interest(rows), sum(row.payment for row in rows) - 200_000)
        self.assertEqual(total_interest([]), 0)

    def test_savings(self):
        interest, months = saved_by(200_000, 480, 24, date(2024, 1, 1), {1: 50_000})
        self.assertGreater(interest, 0)
        self.assertEqual(months, 6)
        self.assertEqual(saved_by(200_000, 480, 24, date(2024, 1, 1), {}), (0, 0))

    def test_fees(self):
        row = Row(3, date(2024, 2, 28), 12_500, 0, 0, 0)
        days = (date(2024, 2, 28), date(2024, 3, 4), date(2024, 3, 5), date(2024, 6, 1))
        self.assertEqual([late_fee(row, day) for day in days], [0, 0, 500, 500])
        self.assertEqual(late_fee(row, days[0] + timedelta(days=1), grace=0, percent=10), 1250)
        self.assertEqual(late_fee(row, days[2], least=100, percent=1), 125)


if __name__ == "__main__":
    unittest.main()

"""Loans paid back month by month, in whole cents: due dates, schedules, extra payments and late fees."""

import calendar
from collections import namedtuple
from datetime import date, timedelta

Row = namedtuple("Row", "number due payment interest principal balance")

BASIS_POINTS_PER_YEAR = 12 * 10_000


def add_months(day, months):
    """The same day so many months later, or the last day of a month that is shorter."""
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, last))


def next_working_day(day, holidays=()):
    while day.weekday() >= 5 or day in holidays:
        day += timedelta(days=1)
    return day


def monthly_interest(balance, rate):
    """Interest of one month; the rate is in basis points a year, halves of a cent go up."""
    return (2 * balance * rate + BASIS_POINTS_PER_YEAR) // (2 * BASIS_POINTS_PER_YEAR)


def annuity(amount, rate, months):
    """The monthly payment that is just enough to pay everything back in time."""
    if amount <= 0 or months <= 0 or rate < 0:
        raise ValueError("a loan needs an amount, a number of months and a rate")
    if rate == 0:
        return -(-amount // months)
    low, high = 1, amount + monthly_interest(amount, rate)
    while low < high:
        middle = (low + high) // 2
        if left_after(amount, rate, middle, months) <= 0:
            high = middle
        else:
            low = middle + 1
    return low


def left_after(amount, rate, payment, months):
    balance = amount
    for _ in range(months):
        balance += monthly_interest(balance, rate) - payment
        if balance <= 0:
            break
    return balance


def schedule(amount, rate, months, start, extra=None, holidays=()):
    """Rows until nothing is owed; extra payments are by the number of the row."""
    payment = annuity(amount, rate, months)
    rows, balance, number = [], amount, 0
    while balance > 0:
        number += 1
        interest = monthly_interest(balance, rate)
        paid = min(payment + (extra or {}).get(number, 0), balance + interest)
        principal = paid - interest
        balance -= principal
        due = next_working_day(add_months(start, number), holidays)
        rows.append(Row(number, due, paid, interest, principal, balance))
    return rows


def total_interest(rows):
    return sum(row.interest for row in rows)


def saved_by(amount, rate, months, start, extra):
    """Interest and months that extra payments save."""
    plain = schedule(amount, rate, months, start)
    faster = schedule(amount, rate, months, start, extra)
    return total_interest(plain) - total_interest(faster), len(plain) - len(faster)


def late_fee(row, paid_on, grace=5, percent=4, least=500):
    """Nothing within the days of grace, then a share of the payment but never less than the least fee."""
    if (paid_on - row.due).days <= grace:
        return 0
    return max(least, row.payment * percent // 100)

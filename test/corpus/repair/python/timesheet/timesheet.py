"""Working time: shifts from text, breaks, overtime and pay."""

import re

SHIFT = re.compile(r"^(\d{1,2}):(\d{2})\s*-\s*(\d{1,2}):(\d{2})(?:\s+break\s+(\d+))?$")
MINUTES_PER_DAY = 24 * 60
NIGHT_STARTS = 22 * 60
NIGHT_ENDS = 6 * 60


class Shift:
    def __init__(self, start, end, pause=0):
        if pause < 0:
            raise ValueError("a break cannot be negative")
        self.start = start
        # A shift that ends before it starts goes past midnight.
        self.end = end if end > start else end + MINUTES_PER_DAY
        self.pause = pause
        if self.minutes <= 0:
            raise ValueError("the break is longer than the shift")

    @property
    def minutes(self):
        return self.end - self.start - self.pause

    def night_minutes(self):
        """Minutes between ten in the evening and six in the morning."""
        total = 0
        for day in (-1, 0, 1):
            night_start = NIGHT_STARTS + day * MINUTES_PER_DAY
            night_end = NIGHT_ENDS + (day + 1) * MINUTES_PER_DAY
            total += max(0, min(self.end, night_end) - max(self.start, night_start))
        return total


def parse_shift(text):
    match = SHIFT.match(text.strip().lower())
    if match is None:
        raise ValueError(f"not a shift: {text!r}")
    hours, minutes, end_hours, end_minutes = (int(part) for part in match.groups()[:4])
    if max(hours, end_hours) > 23 or max(minutes, end_minutes) > 59:
        raise ValueError(f"no such time: {text!r}")
    pause = int(match.group(5) or 0)
    return Shift(hours * 60 + minutes, end_hours * 60 + end_minutes, pause)


def clock(minutes):
    hours, rest = divmod(minutes, 60)
    return f"{hours}:{rest:02d}"


def overtime(shifts, weekly=40 * 60):
    return max(0, sum(shift.minutes for shift in shifts) - weekly)


def pay(shifts, cents_per_hour, weekly=40 * 60):
    """Overtime is paid half as much again, night time a quarter more."""
    worked = sum(shift.minutes for shift in shifts)
    extra = overtime(shifts, weekly)
    night = sum(shift.night_minutes() for shift in shifts)
    units = (worked - extra) * 4 + extra * 6 + night
    return round(units * cents_per_hour / (60 * 4))


def longest_rest(shifts):
    """The longest time between two shifts of one day, in minutes."""
    ordered = sorted(shifts, key=lambda shift: shift.start)
    rests = [later.start - earlier.end for earlier, later in zip(ordered, ordered[1:])]
    return max(rests, default=0)

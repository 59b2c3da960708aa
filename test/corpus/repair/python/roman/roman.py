"""Roman numerals: reading, writing and counting with them."""

VALUES = [
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
]
LETTERS = {symbol: value for value, symbol in VALUES if len(symbol) == 1}
LARGEST = 3999


class NumeralError(ValueError):
    """The text is no Roman numeral, or the number has none."""


def to_roman(number):
    if not isinstance(number, int) or isinstance(number, bool):
        raise NumeralError("only whole numbers have a numeral")
    if number < 1 or number > LARGEST:
        raise NumeralError(f"{number} has no numeral")
    parts = []
    for value, symbol in VALUES:
        count, number = divmod(number, value)
        parts.append(symbol * count)
    return "".join(parts)


def from_roman(text):
    numeral = text.strip().upper()
    if not numeral:
        raise NumeralError("an empty text is no numeral")
    total = 0
    previous = 0
    for letter in reversed(numeral):
        if letter not in LETTERS:
            raise NumeralError(f"{letter!r} is no letter of a numeral")
        value = LETTERS[letter]
        if value < previous:
            total -= value
        else:
            total += value
            previous = value
    if total > LARGEST or to_roman(total) != numeral:
        raise NumeralError(f"{text!r} is not written as it should be")
    return total


def is_roman(text):
    try:
        from_roman(text)
    except NumeralError:
        return False
    return True


def add(*numerals):
    return to_roman(sum(from_roman(numeral) for numeral in numerals))


def chapters(count, prefix="Chapter"):
    """Headings, aligned to the longest numeral."""
    numerals = [to_roman(number) for number in range(1, count + 1)]
    width = max((len(numeral) for numeral in numerals), default=0)
    return [f"{prefix} {numeral.rjust(width)}" for numeral in numerals]

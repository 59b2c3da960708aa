"""Quantities with units: converting, adding and writing them."""

import re

FACTORS = {
    "length": {"mm": 0.001, "cm": 0.01, "m": 1.0, "km": 1000.0, "in": 0.0254, "ft": 0.3048, "mi": 1609.344},
    "mass": {"g": 0.001, "kg": 1.0, "t": 1000.0, "lb": 0.45359237},
    "time": {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0},
}
QUANTITY = re.compile(r"^\s*([-+]?\d+(?:\.\d+)?)\s*([a-zA-Z]+)\s*$")


class UnitError(ValueError):
    pass


def dimension_of(unit):
    for dimension, units in FACTORS.items():
        if unit in units:
            return dimension
    raise UnitError(f"unknown unit: {unit}")


def convert(value, source, target):
    dimension = dimension_of(source)
    if dimension != dimension_of(target):
        raise UnitError(f"{source} cannot become {target}")
    units = FACTORS[dimension]
    return value * units[source] / units[target]


def parse(text):
    match = QUANTITY.match(text)
    if match is None:
        raise UnitError(f"not a quantity: {text!r}")
    value, unit = match.groups()
    dimension_of(unit)
    return float(value), unit


def add(first, second):
    """The sum in the unit of the first."""
    value, unit = first
    other, other_unit = second
    return value + convert(other, other_unit, unit), unit


def celsius(fahrenheit):
    return (fahrenheit - 32) * 5 / 9


def fahrenheit(celsius):
    return celsius * 9 / 5 + 32


def humanise(value, unit):
    """In the largest metric unit in which the number is at least one."""
    dimension = dimension_of(unit)
    metric = [name for name in FACTORS[dimension] if name not in ("in", "ft", "mi", "lb")]
    metric.sort(key=lambda name: FACTORS[dimension][name], reverse=True)
    for name in metric:
        amount = convert(value, unit, name)
        if abs(amount) >= 1:
            break
    text = f"{amount:.2f}".rstrip("0").rstrip(".")
    return f"{text} {name}"


def total(texts, unit):
    result = 0.0
    for text in texts:
        value, source = parse(text)
        result += convert(value, source, unit)
    return result

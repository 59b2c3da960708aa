import unittest

from units import FACTORS, UnitError, add, celsius, convert, dimension_of, fahrenheit, humanise, parse, total


class UnitsHiddenTest(unittest.TestCase):
    def test_there_and_back(self):
        for units in FACTORS.values():
            for source in units:
                for target in units:
                    self.assertAlmostEqual(convert(convert(3.7, source, target), target, source), 3.7)

    def test_known_values(self):
        for value, source, target, expected in (
            (1, "mi", "km", 1.609344), (1, "ft", "in", 12), (2, "lb", "g", 907.18474), (1, "d", "h", 24), (3, "t", "kg", 3000), (5, "mm", "cm", 0.5),
        ):
            self.assertAlmostEqual(convert(value, source, target), expected)

    def test_errors_name_the_unit(self):
        with self.assertRaisesRegex(UnitError, "parsec"):
            convert(1, "m", "parsec")
        with self.assertRaisesRegex(UnitError, "s cannot become kg"):
            convert(1, "s", "kg")

    def test_every_unit_has_its_dimension(self):
        for dimension, units in FACTORS.items():
            for unit in units:
                self.assertEqual(dimension_of(unit), dimension)

    def test_parsing_in_detail(self):
        self.assertEqual(parse("  +7kg "), (7.0, "kg"))
        for text in ("", "5", "m", "5 m m", "1,5 m", "5 xyz", "1.m"):
            self.assertRaises(UnitError, parse, text)

    def test_adding(self):
        self.assertEqual(add((30.0, "min"), (1.0, "h")), (90.0, "min"))
        self.assertRaises(UnitError, add, (1.0, "m"), (1.0, "s"))

    def test_temperatures_meet(self):
        self.assertAlmostEqual(celsius(-40), -40)
        for degree in range(-50, 120, 7):
            self.assertAlmostEqual(celsius(fahrenheit(degree)), degree)

    def test_humanise_in_detail(self):
        self.assertEqual(humanise(1, "km"), "1 km")
        self.assertEqual(humanise(999, "m"), "999 m")
        self.assertEqual(humanise(0.0001, "m"), "0.1 mm")
        self.assertEqual(humanise(-2500, "kg"), "-2.5 t")
        self.assertEqual(humanise(1, "mi"), "1.61 km")
        self.assertEqual(humanise(100, "s"), "1.67 min")
        self.assertEqual(humanise(3, "lb"), "1.36 kg")
        self.assertEqual(humanise(10, "m"), "10 m")

    def test_totals(self):
        self.assertAlmostEqual(total(["1 m", "1 ft", "-1 in"], "cm"), 100 + 30.48 - 2.54)
        self.assertRaises(UnitError, total, ["1 m", "1 s"], "m")


if __name__ == "__main__":
    unittest.main()

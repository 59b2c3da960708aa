import unittest

from units import UnitError, add, celsius, convert, dimension_of, fahrenheit, humanise, parse, total


class UnitsTest(unittest.TestCase):
    def test_dimension(self):
        self.assertEqual(dimension_of("km"), "length")
        self.assertEqual(dimension_of("lb"), "mass")
        self.assertRaises(UnitError, dimension_of, "parsec")

    def test_converting(self):
        self.assertAlmostEqual(convert(2, "km", "m"), 2000)
        self.assertAlmostEqual(convert(90, "min", "h"), 1.5)
        self.assertAlmostEqual(convert(1, "in", "cm"), 2.54)

    def test_dimensions_do_not_mix(self):
        self.assertRaises(UnitError, convert, 1, "kg", "m")

    def test_parsing(self):
        self.assertEqual(parse("12.5 km"), (12.5, "km"))
        self.assertEqual(parse("-3s"), (-3.0, "s"))
        self.assertRaises(UnitError, parse, "km 3")

    def test_adding_keeps_the_first_unit(self):
        value, unit = add((1.0, "km"), (500.0, "m"))
        self.assertAlmostEqual(value, 1.5)
        self.assertEqual(unit, "km")

    def test_temperatures(self):
        self.assertAlmostEqual(celsius(212), 100)
        self.assertAlmostEqual(fahrenheit(37), 98.6)

    def test_humanise(self):
        self.assertEqual(humanise(1500, "m"), "1.5 km")
        self.assertEqual(humanise(0.25, "m"), "25 cm")
        self.assertEqual(humanise(7200, "s"), "2 h")

    def test_total(self):
        self.assertAlmostEqual(total(["1 h", "30 min", "60 s"], "min"), 91)
        self.assertEqual(total([], "m"), 0)


if __name__ == "__main__":
    unittest.main()

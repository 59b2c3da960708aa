import unittest

from change_machine import NoChange, Till, amount_of, describe


class ChangeMachineTest(unittest.TestCase):
    def test_amounts(self):
        self.assertEqual(amount_of({50: 2, 5: 3}), 115)

    def test_total(self):
        till = Till({100: 2, 1: 5})
        till.insert(20)
        self.assertEqual(till.total(), 225)

    def test_unknown_coins(self):
        with self.assertRaises(ValueError):
            Till().insert(3)

    def test_fewest_coins(self):
        self.assertEqual(Till({50: 1, 20: 3, 10: 5}).change(60), {50: 1, 10: 1})

    def test_large_coins_are_not_always_right(self):
        self.assertEqual(Till({50: 1, 20: 3}).change(60), {20: 3})

    def test_no_change(self):
        with self.assertRaises(NoChange):
            Till({50: 1}).change(60)
        self.assertEqual(Till().change(0), {})

    def test_paying_out_takes_coins(self):
        till = Till({20: 3})
        self.assertEqual(till.pay_out(40), {20: 2})
        self.assertEqual(till.total(), 20)

    def test_selling(self):
        till = Till({10: 2})
        self.assertEqual(till.sell(80, {100: 1}), {10: 2})
        self.assertEqual(till.total(), 100)

    def test_a_failed_sale_changes_nothing(self):
        till = Till({50: 1})
        with self.assertRaises(NoChange):
            till.sell(90, {100: 1})
        self.assertEqual(till.stock[100], 0)
        with self.assertRaises(NoChange):
            till.sell(90, {50: 1})

    def test_low_and_describe(self):
        self.assertEqual(Till({200: 9, 100: 9, 50: 9, 20: 9, 10: 5, 5: 4, 2: 9}).low(), [1, 5])
        self.assertEqual(describe({5: 1, 100: 2}), "2 x 1.00, 1 x 0.05")


if __name__ == "__main__":
    unittest.main()

import itertools
import random
import unittest

from change_machine import NoChange, Till, amount_of, describe


def fewest(stock, amount):
    counts = [range(count + 1) for count in stock.values()]
    sizes = [sum(pick) for pick in itertools.product(*counts) if sum(coin * n for coin, n in zip(stock, pick)) == amount]
    return min(sizes, default=None)


class ChangeMachineHiddenTest(unittest.TestCase):
    def test_as_few_as_by_trying_everything(self):
        chance = random.Random(2)
        for _ in range(40):
            stock = {coin: chance.randrange(4) for coin in (50, 20, 10, 5, 2)}
            amount = chance.randrange(1, 120)
            expected = fewest(stock, amount)
            if expected is None:
                self.assertRaises(NoChange, Till(stock).change, amount)
            else:
                coins = Till(stock).change(amount)
                self.assertEqual(amount_of(coins), amount)
                self.assertEqual(sum(coins.values()), expected)
                self.assertTrue(all(count <= stock[coin] for coin, count in coins.items()))

    def test_asking_takes_nothing(self):
        till = Till({20: 5})
        till.change(60)
        self.assertEqual(till.total(), 100)

    def test_money_is_kept(self):
        till = Till({200: 1, 50: 4, 20: 4, 5: 4, 1: 9})
        before = till.total()
        change = till.sell(137, {200: 1})
        self.assertEqual(amount_of(change), 63)
        self.assertEqual(till.total(), before + 137)

    def test_paid_coins_can_be_given_back(self):
        till = Till()
        self.assertEqual(till.sell(50, {50: 2}), {50: 1})
        self.assertEqual(till.sell(100, {100: 1}), {})

    def test_a_refused_sale(self):
        till = Till({20: 1})
        before = dict(till.stock)
        self.assertRaises(NoChange, till.sell, 95, {100: 1})
        self.assertRaises(NoChange, till.sell, 101, {100: 1})
        self.assertEqual(till.stock, before)

    def test_bad_coins(self):
        self.assertRaises(ValueError, Till().insert, 7)
        self.assertRaises(ValueError, Till().insert, 5, -1)
        self.assertRaises(ValueError, Till, {3: 1})
        Till().insert(5, 0)

    def test_tills_are_separate(self):
        Till().insert(100, 3)
        self.assertEqual(Till().total(), 0)

    def test_low_edges(self):
        self.assertEqual(Till().low(), [1, 2, 5, 10, 20, 50, 100, 200])
        self.assertEqual(Till({coin: 2 for coin in (200, 100, 50, 20, 10, 5, 2, 1)}).low(2), [])
        self.assertEqual(Till({coin: 2 for coin in (200, 100, 50, 20, 10, 5, 2)}).low(1), [1])

    def test_described(self):
        self.assertEqual(describe({}), "nothing")
        self.assertEqual(describe({200: 1, 2: 3, 10: 1}), "1 x 2.00, 1 x 0.10, 3 x 0.02")


if __name__ == "__main__":
    unittest.main()

"""A till that pays out change from the coins it has."""

COINS = (200, 100, 50, 20, 10, 5, 2, 1)


class NoChange(Exception):
    pass


def amount_of(coins):
    return sum(value * count for value, count in coins.items())


class Till:
    def __init__(self, stock=None):
        self.stock = {coin: 0 for coin in COINS}
        for coin, count in (stock or {}).items():
            self.insert(coin, count)

    def insert(self, coin, count=1):
        if coin not in self.stock:
            raise ValueError(f"no such coin: {coin}")
        if count < 0:
            raise ValueError("a negative number of coins")
        self.stock[coin] += count

    def total(self):
        return amount_of(self.stock)

    def change(self, amount):
        """The fewest coins that make the amount, from the stock alone."""
        best = {0: {}}
        for coin in COINS:
            reached = dict(best)
            for start, coins in best.items():
                for count in range(1, self.stock[coin] + 1):
                    reach = start + coin * count
                    if reach > amount:
                        break
                    candidate = {**coins, coin: count}
                    known = reached.get(reach)
                    if known is None or sum(candidate.values()) < sum(known.values()):
                        reached[reach] = candidate
            best = reached
        if amount not in best:
            raise NoChange(f"{amount} cannot be paid out")
        return best[amount]

    def pay_out(self, amount):
        coins = self.change(amount)
        for coin, count in coins.items():
            self.stock[coin] -= count
        return coins

    def sell(self, price, paid):
        """Takes the coins and gives change; when it cannot, the coins go back and nothing has changed."""
        given = amount_of(paid)
        if given < price:
            raise NoChange("not enough money")
        before = dict(self.stock)
        for coin, count in paid.items():
            self.insert(coin, count)
        try:
            return self.pay_out(given - price)
        except NoChange:
            self.stock = before
            raise

    def low(self, least=5):
        """Coins that should be filled up, the smallest first."""
        return sorted(coin for coin, count in self.stock.items() if count < least)


def describe(coins):
    if not coins:
        return "nothing"
    parts = [f"{count} x {coin / 100:.2f}" for coin, count in sorted(coins.items(), reverse=True)]
    return ", ".join(parts)

"""A list that stays sorted, with binary search, ranges and counting."""


class SortedIndex:
    def __init__(self, items=(), key=None):
        self._key = key or (lambda item: item)
        self._items = sorted(items, key=self._key)

    def __len__(self):
        return len(self._items)

    def __iter__(self):
        return iter(self._items)

    def lower(self, value):
        """The first place whose key is not below the value."""
        low, high = 0, len(self._items)
        while low < high:
            middle = (low + high) // 2
            if self._key(self._items[middle]) < value:
                low = middle + 1
            else:
                high = middle
        return low

    def upper(self, value):
        """The first place whose key is above the value."""
        low, high = 0, len(self._items)
        while low < high:
            middle = (low + high) // 2
            if self._key(self._items[middle]) <= value:
                low = middle + 1
            else:
                high = middle
        return low

    def add(self, item):
        """Behind those with an equal key."""
        at = self.upper(self._key(item))
        self._items.insert(at, item)
        return at

    def find(self, value):
        at = self.lower(value)
        if at < len(self._items) and self._key(self._items[at]) == value:
            return self._items[at]
        return None

    def remove(self, item):
        at = self.lower(self._key(item))
        while at < len(self._items) and self._key(self._items[at]) == self._key(item):
            if self._items[at] == item:
                del self._items[at]
                return True
            at += 1
        return False

    def count(self, value):
        return self.upper(value) - self.lower(value)

    def between(self, low, high):
        """Items with low <= key < high."""
        return self._items[self.lower(low):self.lower(high)]

    def nearest(self, value):
        """The item whose key is nearest; the smaller of two equally near."""
        if not self._items:
            return None
        at = self.lower(value)
        if at == 0:
            return self._items[0]
        if at == len(self._items):
            return self._items[-1]
        before, after = self._items[at - 1], self._items[at]
        if value - self._key(before) <= self._key(after) - value:
            return before
        return after

    def median(self):
        if not self._items:
            raise ValueError("nothing has no median")
        middle = len(self._items) // 2
        if len(self._items) % 2 == 1:
            return self._key(self._items[middle])
        return (self._key(self._items[middle - 1]) + self._key(self._items[middle])) / 2

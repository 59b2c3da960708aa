"""A message queue: priorities, delays, messages that are held while somebody works on them, and dead letters."""

import heapq
from dataclasses import dataclass, field


class UnknownReceipt(KeyError):
    pass


@dataclass
class Message:
    id: int
    body: object
    priority: int = 0
    attempts: int = 0
    errors: list = field(default_factory=list)


class MessageQueue:
    def __init__(self, visibility=30, max_attempts=3, backoff=lambda attempts: 2**attempts):
        self.visibility = visibility
        self.max_attempts = max_attempts
        self.backoff = backoff
        self.dead = []
        self._ready = []
        self._delayed = []
        self._held = {}
        self._dedup = {}
        self._next_id = 1
        self._next_receipt = 1

    def __len__(self):
        return len(self._ready) + len(self._delayed) + len(self._held)

    def send(self, body, now, priority=0, delay=0, dedup_key=None):
        """The id of the message; within five minutes the same key is the same message."""
        if dedup_key is not None:
            known = self._dedup.get(dedup_key)
            if known is not None and now - known[1] < 300:
                return known[0]
        message = Message(self._next_id, body, priority)
        self._next_id += 1
        if dedup_key is not None:
            self._dedup[dedup_key] = (message.id, now)
        if delay > 0:
            heapq.heappush(self._delayed, (now + delay, message.id, message))
        else:
            self._make_ready(message)
        return message.id

    def _make_ready(self, message):
        heapq.heappush(self._ready, (-message.priority, message.id, message))

    def _wake(self, now):
        """Delayed messages whose time has come, and held ones that nobody finished."""
        while self._delayed and self._delayed[0][0] <= now:
            self._make_ready(heapq.heappop(self._delayed)[2])
        for receipt, (until, message) in list(self._held.items()):
            if until <= now:
                del self._held[receipt]
                self._give_back(message, "timed out")

    def _give_back(self, message, error):
        message.errors.append(error)
        if message.attempts >= self.max_attempts:
            self.dead.append(message)
        else:
            self._make_ready(message)

    def receive(self, now, count=1):
        """Pairs of a receipt and a message, the most urgent first, the oldest of those first."""
        self._wake(now)
        received = []
        while self._ready and len(received) < count:
            message = heapq.heappop(self._ready)[2]
            message.attempts += 1
            receipt = f"r{self._next_receipt}"
            self._next_receipt += 1
            self._held[receipt] = (now + self.visibility, message)
            received.append((receipt, message))
        return received

    def _take(self, receipt, now):
        self._wake(now)
        if receipt not in self._held:
            raise UnknownReceipt(receipt)
        return self._held.pop(receipt)[1]

    def ack(self, receipt, now):
        self._take(receipt, now)

    def nack(self, receipt, now, error="failed"):
        """The message comes again after a pause that grows, or is given up."""
        message = self._take(receipt, now)
        message.errors.append(error)
        if message.attempts >= self.max_attempts:
            self.dead.append(message)
            return
        heapq.heappush(self._delayed, (now + self.backoff(message.attempts), message.id, message))

    def extend(self, receipt, now, seconds):
        message = self._take(receipt, now)
        self._held[receipt] = (now + seconds, message)

    def redrive(self):
        """Puts all dead letters back as if they were new, and says how many."""
        letters, self.dead = self.dead, []
        for message in letters:
            message.attempts = 0
            self._make_ready(message)
        return len(letters)

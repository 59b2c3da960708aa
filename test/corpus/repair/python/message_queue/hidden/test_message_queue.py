import unittest

from message_queue import MessageQueue, UnknownReceipt


def take(queue, now, count=1):
    return [message.body for _, message in queue.receive(now, count)]


class MessageQueueHiddenTest(unittest.TestCase):
    def test_order_by_priority_then_age(self):
        queue = MessageQueue()
        for at, priority in enumerate((1, 3, 2, 3, 0, 2, -1)):
            queue.send(f"{priority}.{at}", now=at, priority=priority)
        self.assertEqual(take(queue, 10, 99), ["3.1", "3.3", "2.2", "2.5", "1.0", "0.4", "-1.6"])

    def test_a_delayed_message_keeps_its_priority(self):
        queue = MessageQueue()
        queue.send("urgent", now=0, priority=9, delay=5)
        queue.send("plain", now=1)
        queue.send("plain too", now=1)
        self.assertEqual(take(queue, 4), ["plain"])
        self.assertEqual(take(queue, 5, 2), ["urgent", "plain too"])

    def test_delays_in_any_order(self):
        queue = MessageQueue()
        for delay in (30, 10, 20):
            queue.send(delay, now=100, delay=delay)
        self.assertEqual([take(queue, now) for now in (109, 110, 119, 120, 130)], [[], [10], [], [20], [30]])

    def test_length(self):
        queue = MessageQueue()
        for body in range(5):
            queue.send(body, now=0, delay=body)
        (receipt, _), _ = queue.receive(2, 2)
        self.assertEqual(len(queue), 5)
        queue.ack(receipt, 2)
        self.assertEqual(len(queue), 4)

    def test_bodies_that_cannot_be_compared(self):
        queue = MessageQueue()
        queue.send({"a": 1}, now=0)
        queue.send(None, now=0)
        self.assertEqual(take(queue, 0, 2), [{"a": 1}, None])

    def test_deduplication_by_time(self):
        queue = MessageQueue()
        ids = [queue.send("x", now=now, dedup_key="k") for now in (0, 100, 299, 300, 599, 600)]
        self.assertEqual(ids, [1, 1, 1, 2, 2, 3])
        self.assertEqual(take(queue, 700, 9), ["x", "x", "x"])

    def test_deduplication_of_finished_messages(self):
        queue = MessageQueue()
        queue.send("x", now=0, dedup_key="k")
        ((receipt, _),) = queue.receive(0)
        queue.ack(receipt, 1)
        queue.send("x", now=2, dedup_key="k")
        self.assertEqual(len(queue), 0)

    def test_a_timeout_of_its_own(self):
        queue = MessageQueue(visibility=7)
        queue.send("x", now=100)
        self.assertEqual(take(queue, 100), ["x"])
        self.assertEqual(take(queue, 106), [])
        self.assertEqual(take(queue, 107), ["x"])

    def test_timeouts_up_to_the_last(self):
        queue = MessageQueue(visibility=10, max_attempts=3)
        queue.send("x", now=0)
        self.assertEqual([take(queue, now) for now in (0, 10, 20, 30)], [["x"], ["x"], ["x"], []])
        self.assertEqual([(m.attempts, m.errors) for m in queue.dead], [(3, ["timed out"] * 3)])

    def test_late_answers(self):
        queue = MessageQueue(visibility=10)
        queue.send("x", now=0)
        ((receipt, _),) = queue.receive(0)
        self.assertRaises(UnknownReceipt, queue.nack, receipt, 10)
        self.assertRaises(UnknownReceipt, queue.extend, receipt, 10, 5)
        self.assertRaises(UnknownReceipt, queue.ack, "nonsense", 10)
        self.assertEqual(take(queue, 10), ["x"])

    def test_the_pause_grows(self):
        queue = MessageQueue(max_attempts=4)
        queue.send("x", now=0)
        now = 0
        for pause in (2, 4, 8):
            ((receipt, _),) = queue.receive(now)
            queue.nack(receipt, now)
            now += pause
            self.assertEqual(queue.receive(now - 1), [])
        self.assertEqual(take(queue, now), ["x"])

    def test_a_pause_of_its_own(self):
        queue = MessageQueue(backoff=lambda attempts: 100)
        queue.send("x", now=0)
        ((receipt, _),) = queue.receive(0)
        queue.nack(receipt, 20)
        self.assertEqual(take(queue, 119), [])
        self.assertEqual(take(queue, 120), ["x"])

    def test_extending_more_than_once(self):
        queue = MessageQueue(visibility=10)
        queue.send("x", now=0)
        ((receipt, _),) = queue.receive(0)
        for now in (5, 20, 35):
            queue.extend(receipt, now, 16)
        self.assertEqual(take(queue, 50), [])
        queue.ack(receipt, 50)
        self.assertEqual(len(queue), 0)

    def test_errors_and_attempts_are_of_each_message(self):
        queue = MessageQueue(max_attempts=1)
        for body in "ab":
            queue.send(body, now=0)
        first, second = queue.receive(0, 2)
        queue.nack(first[0], 1, "one")
        queue.nack(second[0], 1, "two")
        self.assertEqual([(m.body, m.errors) for m in queue.dead], [("a", ["one"]), ("b", ["two"])])
        self.assertEqual(len(queue), 0)

    def test_redrive_gives_all_attempts_again(self):
        queue = MessageQueue(visibility=10, max_attempts=2)
        queue.send("x", now=0)
        for now in (0, 10, 20):
            queue.receive(now)
        self.assertEqual((queue.redrive(), queue.redrive()), (1, 0))
        self.assertEqual([take(queue, now) for now in (20, 30, 40)], [["x"], ["x"], []])
        self.assertEqual(len(queue.dead), 1)


if __name__ == "__main__":
    unittest.main()

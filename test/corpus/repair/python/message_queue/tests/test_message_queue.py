import unittest

from message_queue import MessageQueue, UnknownReceipt


def bodies(received):
    return [message.body for _, message in received]


class SendAndReceiveTest(unittest.TestCase):
    def setUp(self):
        self.queue = MessageQueue()

    def test_first_in_first_out(self):
        for body in "abc":
            self.queue.send(body, now=0)
        self.assertEqual(bodies(self.queue.receive(0, count=3)), ["a", "b", "c"])

    def test_empty(self):
        self.assertEqual(self.queue.receive(0), [])
        self.assertEqual(len(self.queue), 0)

    def test_priority(self):
        self.queue.send("low", now=0)
        self.queue.send("high", now=0, priority=5)
        self.queue.send("high too", now=0, priority=5)
        self.assertEqual(bodies(self.queue.receive(0, count=3)), ["high", "high too", "low"])

    def test_no_more_than_wanted(self):
        for body in "abc":
            self.queue.send(body, now=0)
        self.assertEqual(len(self.queue.receive(0, count=2)), 2)
        self.assertEqual(bodies(self.queue.receive(0)), ["c"])

    def test_delay(self):
        self.queue.send("later", now=0, delay=10)
        self.assertEqual(self.queue.receive(9), [])
        self.assertEqual(bodies(self.queue.receive(10)), ["later"])

    def test_length_counts_everything_that_is_not_done(self):
        self.queue.send("a", now=0)
        self.queue.send("b", now=0, delay=10)
        self.queue.receive(0)
        self.assertEqual(len(self.queue), 2)

    def test_ids(self):
        self.assertEqual([self.queue.send("a", now=0), self.queue.send("b", now=0)], [1, 2])


class DeduplicationTest(unittest.TestCase):
    def setUp(self):
        self.queue = MessageQueue()

    def test_same_key(self):
        first = self.queue.send("a", now=0, dedup_key="k")
        self.assertEqual(self.queue.send("a", now=299, dedup_key="k"), first)
        self.assertEqual(len(self.queue), 1)

    def test_key_expires(self):
        first = self.queue.send("a", now=0, dedup_key="k")
        self.assertNotEqual(self.queue.send("a", now=300, dedup_key="k"), first)

    def test_other_keys(self):
        self.queue.send("a", now=0, dedup_key="k")
        self.queue.send("a", now=0, dedup_key="l")
        self.queue.send("a", now=0)
        self.queue.send("a", now=0)
        self.assertEqual(len(self.queue), 4)


class HoldingTest(unittest.TestCase):
    def setUp(self):
        self.queue = MessageQueue(visibility=30, max_attempts=2)
        self.queue.send("a", now=0)
        ((self.receipt, self.message),) = self.queue.receive(0)

    def test_held_messages_are_not_received(self):
        self.assertEqual(self.queue.receive(29), [])

    def test_they_come_again_when_nobody_finishes(self):
        ((receipt, message),) = self.queue.receive(30)
        self.assertNotEqual(receipt, self.receipt)
        self.assertEqual((message.attempts, message.errors), (2, ["timed out"]))

    def test_finished_messages_are_gone(self):
        self.queue.ack(self.receipt, 5)
        self.assertEqual(len(self.queue), 0)
        self.assertEqual(self.queue.receive(100), [])

    def test_receipts_count_once(self):
        self.queue.ack(self.receipt, 5)
        with self.assertRaises(UnknownReceipt):
            self.queue.ack(self.receipt, 5)

    def test_receipts_run_out(self):
        with self.assertRaises(UnknownReceipt):
            self.queue.ack(self.receipt, 30)

    def test_extending(self):
        self.queue.extend(self.receipt, 20, 60)
        self.assertEqual(self.queue.receive(79), [])
        self.assertEqual(bodies(self.queue.receive(80)), ["a"])

    def test_failing_waits_before_the_next_attempt(self):
        self.queue.nack(self.receipt, 10, "no database")
        self.assertEqual(self.queue.receive(11), [])
        ((_, message),) = self.queue.receive(12)
        self.assertEqual(message.errors, ["no database"])

    def test_given_up_after_the_last_attempt(self):
        self.queue.nack(self.receipt, 0)
        ((receipt, _),) = self.queue.receive(2)
        self.queue.nack(receipt, 3, "again")
        self.assertEqual([message.errors for message in self.queue.dead], [["failed", "again"]])
        self.assertEqual(len(self.queue), 0)

    def test_given_up_after_the_last_timeout(self):
        self.queue.receive(30)
        self.assertEqual(self.queue.receive(60), [])
        self.assertEqual([message.body for message in self.queue.dead], ["a"])

    def test_redrive(self):
        self.queue.receive(30)
        self.queue.receive(60)
        self.assertEqual(self.queue.redrive(), 1)
        ((_, message),) = self.queue.receive(61)
        self.assertEqual(message.attempts, 1)
        self.assertEqual(self.queue.dead, [])


if __name__ == "__main__":
    unittest.main()

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sell, toOrder } from '../src/stock.js'

test('a sale takes pieces out of the stock', () => assert.deepEqual(sell({ pen: 5 }, 'pen', 2), { pen: 3 }))
test('the last pieces can be sold', () => assert.deepEqual(sell({ pen: 2 }, 'pen', 2), { pen: 0 }))
test('more than there are cannot', () => assert.equal(sell({ pen: 1 }, 'pen', 2), null))
test('the scarcest is ordered first', () => assert.deepEqual(toOrder({ ink: 3, pen: 1, pad: 9 }, 5), ['pen', 'ink']))

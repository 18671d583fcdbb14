import { expect, it } from 'vitest'
import { AppendLedger } from './append-ledger.js'

it('counts acknowledged appends that the stream or time to live has not seen', () => {
  const ledger = new AppendLedger()
  // The stream may have an append before its writer has the answer.
  ledger.inserted(1)
  ledger.acknowledged({ file: 'a', at: 1 }, 0)
  ledger.acknowledged({ file: 'a', at: 2 }, 2)
  ledger.inserted(3)
  ledger.expired(1)
  expect(ledger.totals).toEqual({ acknowledged: 2, repeated: 1, notInStream: 1, notExpired: 1 })
})

it('gives the acknowledged appends of a key from a moment on', () => {
  const ledger = new AppendLedger()
  for (const at of [1, 2, 3]) ledger.acknowledged({ file: 'a', at }, 0)
  ledger.acknowledged({ file: 'b', at: 4 }, 0)
  expect(ledger.recentOf('a', 2).map(({ at }) => at)).toEqual([2, 3])
})

it('permits two copies only of an append that was repeated or is still in flight', () => {
  const ledger = new AppendLedger()
  ledger.acknowledged({ file: 'a', at: 1 }, 0)
  ledger.acknowledged({ file: 'a', at: 2 }, 1)
  expect([1, 2, 3].map((at) => ledger.mayBeStoredTwice(at))).toEqual([false, true, true])
})

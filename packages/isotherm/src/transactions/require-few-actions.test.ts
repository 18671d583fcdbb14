import { describe, expect, it } from 'vitest'
import { requireFewActions } from './require-few-actions.js'

describe('the actions of a transaction', () => {
  it('may be 100', () => {
    expect(() => requireFewActions('TransactWriteItems', 100, 100)).not.toThrow()
  })

  it('may not be more, with what the application can do about it', () => {
    const details = { operation: 'TransactGetItems', members: 51, actions: 101, maxActions: 100 }
    expect(() => requireFewActions('TransactGetItems', 51, 101)).toThrow(
      expect.objectContaining({
        code: 'transaction.too-large',
        message: expect.stringMatching(
          /^TransactGetItems with 51 members takes 101 actions .* Split it, or use a calculated suffix/,
        ),
        details: { ...details, waitedMilliseconds: 0 },
      }),
    )
    expect(() => requireFewActions('TransactGetItems', 51, 101, 2_000)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/has waited 2 s/),
        details: { ...details, waitedMilliseconds: 2_000 },
      }),
    )
  })

  it('are rejected in the words of the service where the application gave too many', () => {
    expect(() => requireFewActions('TransactWriteItems', 101, 101)).toThrow(
      expect.objectContaining({ name: 'ValidationException' }),
    )
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { account, add, Bank, check, failure, put, reasons, record } from './bank.fixture.js'

let bank: Bank
beforeEach(async () => {
  bank = await Bank.open()
})
afterEach(() => bank.close())

describe('a client request token', () => {
  const token = { ClientRequestToken: 'token-1' }

  it('executes its transaction once and turns a repetition into a read', async () => {
    const actions = [add('ann', 1), record(1)]
    const wanted = { ...token, ReturnConsumedCapacity: 'TOTAL' } as const
    await bank.transact(actions, wanted)
    const again = await bank.transact(actions, wanted)
    expect(again.ConsumedCapacity).toEqual([
      { TableName: 'accounts', CapacityUnits: 2, ReadCapacityUnits: 2 },
      { TableName: 'transfers', CapacityUnits: 2, ReadCapacityUnits: 2 },
    ])
    expect(await bank.itemOf('ann')).toEqual(account('ann', 101))
  })

  it('is rejected for another request', async () => {
    await bank.transact([add('ann', 1)], token)
    const error = await failure(bank.transact([add('ann', 2)], token))
    expect(error.name).toBe('IdempotentParameterMismatchException')
    expect(error.message).toMatch(/retried a request with a different payload/)
    expect(await bank.itemOf('ann')).toEqual(account('ann', 101))
  })

  it('is rejected while its transaction is in progress', async () => {
    const ongoing = bank.transact([add('ann', 1)], token)
    const error = await failure(bank.transact([add('ann', 1)], token))
    expect([error.name, error.message]).toEqual([
      'TransactionInProgressException',
      'The transaction with the given request token is already in progress.',
    ])
    expect((await failure(bank.transact([add('ann', 2)], token))).name).toBe(
      'IdempotentParameterMismatchException',
    )
    await ongoing
  })

  it('in progress rejects no transaction with another one', async () => {
    const other = { ClientRequestToken: 'token-2' }
    await Promise.all([bank.transact([add('ann', 1)], token), bank.transact([record(1)], other)])
    expect((await bank.everything())[2]).toHaveLength(1)
  })

  it.each([
    ['first', [add('ann', 1), record(1)]],
    ['last', [record(1), add('ann', 1)]],
  ])(
    'repeats its transaction only with the capacity to read its items: the %s has none',
    async (_, actions) => {
      await bank.close()
      bank = await Bank.open({}, { units: { read: 1, write: 1_000 } })
      // To read it takes the capacity of many seconds, so that the test may be slow.
      await bank.transact([put(account('ann', 100, { text: { S: 'x'.repeat(80_000) } }))])
      await bank.transact(actions, token)
      await bank.transact(actions, token)
      const error = await failure(bank.transact(actions, token))
      expect([error.name, error.message]).toEqual([
        'ProvisionedThroughputExceededException',
        expect.stringMatching(/^The level of configured/),
      ])
    },
  )

  it('protects nothing when the transaction was cancelled', async () => {
    await reasons(bank.transact([check('nobody', 'attribute_exists(balance)')], token))
    await bank.transact([add('ann', 1)], token)
    expect(await bank.itemOf('ann')).toEqual(account('ann', 101))
  })

  it.each([
    [
      '',
      "Value at 'ClientRequestToken' failed to satisfy constraint: Member must have length greater than or equal to 1",
    ],
    [
      'x'.repeat(37),
      "'ClientRequestToken' failed to satisfy constraint: Member must have length less than or equal to 36",
    ],
  ])('must have 1 to 36 characters, not those of "%s"', async (ClientRequestToken, text) => {
    const error = await failure(bank.transact([add('ann', 1)], { ClientRequestToken }))
    expect([error.name, error.message]).toEqual(['ValidationException', expect.stringContaining(text)])
  })
})

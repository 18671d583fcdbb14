import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  DeleteTableCommand,
  PutItemCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { account, add, Bank, check, failure, key, put, reasons, record } from './bank.fixture.js'

let bank: Bank
beforeEach(async () => {
  bank = await Bank.open()
})
afterEach(() => bank.close())

describe('an ongoing transaction', () => {
  const ONGOING = 'Transaction is ongoing for the item'

  it('rejects single writes to its items, and no others', async () => {
    const ongoing = bank.transact([add('ann', 1), check('bob', 'attribute_not_exists(balance)')])
    const meet = [
      new PutItemCommand({ TableName: 'accounts', Item: account('ann', 0) }),
      new DeleteItemCommand(key('ann')),
      new UpdateItemCommand({ ...key('bob'), UpdateExpression: 'REMOVE x' }),
      new DeleteItemCommand({ ...key('ann'), ConditionExpression: 'attribute_not_exists(balance)' }),
    ]
    const errors = await Promise.all(
      meet.map((command) => failure(bank.client.send(command as PutItemCommand))),
    )
    for (const error of errors) {
      expect([error.name, error.message]).toEqual(['TransactionConflictException', ONGOING])
      expect(error.$metadata.httpStatusCode).toBe(400)
    }
    await bank.client.send(new PutItemCommand({ TableName: 'accounts', Item: account('cid', 0) }))
    await ongoing
    expect(await bank.itemOf('ann')).toEqual(account('ann', 101))
    await bank.client.send(new PutItemCommand({ TableName: 'accounts', Item: account('ann', 7) }))
  })

  it('cancels other transactions on its items, including those that only check them', async () => {
    const exists = 'attribute_exists(balance)'
    const ongoing = bank.transact([check('ann', exists), record(1)])
    const conflict = { Code: 'TransactionConflict', Message: ONGOING }
    expect(await reasons(bank.transact([put(account('bob', 1)), add('ann', 1)]))).toEqual([
      { Code: 'None' },
      conflict,
    ])
    expect(await reasons(bank.transact([check('ann', exists), check('bob', exists), record(1)]))).toEqual([
      conflict,
      { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
      conflict,
    ])
    await bank.transact([record(2)])
    await ongoing
    expect((await bank.everything())[2]).toHaveLength(2)
  })

  it('leaves conflicting members of a batch unprocessed', async () => {
    const ongoing = bank.transact([add('ann', 1)])
    const request = (owner: string) => ({ PutRequest: { Item: account(owner, 0) } })
    const { UnprocessedItems } = await bank.client.send(
      new BatchWriteItemCommand({ RequestItems: { accounts: [request('ann'), request('bob')] } }),
    )
    expect(UnprocessedItems).toEqual({ accounts: [request('ann')] })
    await ongoing
    expect([await bank.itemOf('ann'), await bank.itemOf('bob')]).toEqual([
      account('ann', 101),
      account('bob', 0),
    ])
  })

  it('shows none of its writes until it has ended, and then all of them', async () => {
    const ongoing = bank.transact([add('ann', 1), put(account('bob', 1, { branch: { S: 'b' } })), record(1)])
    expect(await bank.everything()).toEqual([[account('ann', 100)], [], []])
    await ongoing
    expect((await bank.everything()).map((items) => items?.length)).toEqual([2, 1, 1])
  })

  it('is cancelled when its table is deleted meanwhile', async () => {
    const ongoing = failure(bank.transact([add('ann', 1), record(1)]))
    await bank.client.send(new DeleteTableCommand({ TableName: 'accounts' }))
    expect((await ongoing).name).toBe('ResourceNotFoundException')
    expect((await bank.client.send(new ScanCommand({ TableName: 'transfers' }))).Items).toEqual([])
    await bank.transact([record(1)])
  })

  it('is cancelled when the engine is closed meanwhile', async () => {
    const { requests } = bank.local.statistics()
    const ongoing = failure(bank.transact([add('ann', 1)]))
    // The client takes some turns of the event loop before the request arrives.
    while (bank.local.statistics().requests === requests) await Promise.resolve()
    await bank.local.close()
    const error = await ongoing
    expect([error.name, error.$metadata.httpStatusCode]).toEqual(['InternalServerError', 500])
    expect(error.message).toContain('nothing of it has happened')
  })

  it('overlaps with nothing when transactions take no time', async () => {
    await bank.close()
    bank = await Bank.open({ transactionMilliseconds: 0 })
    const [first, second] = await Promise.allSettled([
      bank.transact([add('ann', 1)]),
      bank.transact([add('ann', 1)]),
    ])
    expect([first.status, second.status]).toEqual(['fulfilled', 'fulfilled'])
    expect(await bank.itemOf('ann')).toEqual(account('ann', 102))
  })
})

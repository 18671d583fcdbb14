import { TransactGetItemsCommand, type TransactGetItemsCommandInput } from '@aws-sdk/client-dynamodb'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { account, add, Bank, failure, key, put, reasons, record } from '../transaction/bank.fixture.js'

type Read = NonNullable<TransactGetItemsCommandInput['TransactItems']>[number]

const get = (owner: string, more: object = {}): Read => ({ Get: { ...key(owner), ...more } })
const transfer = (id: number): Read => ({ Get: { TableName: 'transfers', Key: { id: { N: String(id) } } } })

let bank: Bank
beforeEach(async () => {
  bank = await Bank.open()
})
afterEach(() => bank.close())

function read(reads: readonly Read[], more: Partial<TransactGetItemsCommandInput> = {}) {
  return bank.client.send(new TransactGetItemsCommand({ TransactItems: [...reads], ...more }))
}

const takenOf = (table: string) =>
  bank.local.partitions(table).reduce((sum, { read }) => sum + read.consumedUnits, 0)

describe('a transaction that reads', () => {
  it('returns items in the order of its reads, and an empty response for a missing item', async () => {
    await bank.transact([put(account('bob', 5)), record(1)])
    const { Responses } = await read([
      transfer(1),
      get('nobody'),
      get('bob', { ProjectionExpression: '#b, absent', ExpressionAttributeNames: { '#b': 'balance' } }),
      get('ann', { ProjectionExpression: 'absent' }),
    ])
    expect(Responses).toEqual([{ Item: { id: { N: '1' } } }, {}, { Item: { balance: { N: '5' } } }, {}])
  })

  it('consumes twice the units of a consistent read for each item', async () => {
    await bank.transact([put({ owner: { S: 'l' }, text: { S: 'x'.repeat(5_000) } })])
    const { ConsumedCapacity } = await read([get('l'), get('nobody'), transfer(1)], {
      ReturnConsumedCapacity: 'INDEXES',
    })
    const reads = (CapacityUnits: number) => ({ CapacityUnits, ReadCapacityUnits: CapacityUnits })
    expect(ConsumedCapacity).toEqual([
      { TableName: 'accounts', ...reads(6), Table: reads(6) },
      { TableName: 'transfers', ...reads(2), Table: reads(2) },
    ])
  })

  it('is cancelled while another transaction holds one of its items', async () => {
    const ongoing = bank.transact([add('ann', 1)])
    expect(await reasons(read([get('bob'), get('ann')]))).toEqual([
      { Code: 'None' },
      { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' },
    ])
    await ongoing
    expect((await read([get('ann')])).Responses).toEqual([{ Item: account('ann', 101) }])
  })

  it('is cancelled when there is no capacity for one of its items', async () => {
    await bank.close()
    bank = await Bank.open({}, { units: { read: 1, write: 5 } })
    await read([get('ann')])
    expect(await reasons(read([transfer(1), get('ann')]))).toEqual([
      { Code: 'None' },
      { Code: 'ProvisionedThroughputExceeded', Message: expect.stringMatching(/^The level of configured/) },
    ])
    expect(takenOf('transfers')).toBe(0)
  })

  it('that is throttled takes no units, and one that is cancelled otherwise takes all', async () => {
    await bank.close()
    bank = await Bank.open({ capacity: { partitionReadUnitsPerSecond: 4, onDemandPartitions: 1 } })
    await bank.transact([put({ owner: { S: 'ann' }, text: { S: 'x'.repeat(80_000) } })])
    await read([get('ann')])
    const told = await reasons(read([transfer(1), get('ann')]))
    expect(told?.map(({ Code }) => Code)).toEqual(['None', 'ThrottlingError'])
    expect(takenOf('transfers')).toBe(0)
    const ongoing = bank.transact([record(1)])
    await reasons(read([transfer(1)]))
    expect(takenOf('transfers')).toBe(2)
    await ongoing
  })

  it('is cancelled for the first key that does not fit its table', async () => {
    const bad = { Get: { TableName: 'accounts', Key: { owner: { N: '1' } } } }
    expect(await reasons(read([get('ann'), bad, bad]))).toEqual([
      { Code: 'None' },
      { Code: 'ValidationError', Message: 'The provided key element does not match the schema' },
      { Code: 'None' },
    ])
  })

  it.each([
    ['no reads', [], 'Member must have length greater than or equal to 1'],
    [
      '101 reads',
      Array.from({ length: 101 }, (_, id) => transfer(id)),
      'Member must have length less than or equal to 100',
    ],
    [
      'a member without a read',
      [{ Get: undefined }],
      "Value null at 'transactItems.1.member.get' failed to satisfy constraint: Member must not be null",
    ],
    [
      'two reads of one item',
      [get('ann'), get('ann')],
      'Transaction request cannot include multiple operations on one item',
    ],
    [
      'an empty key',
      [get('')],
      'The AttributeValue for a key attribute cannot contain an empty string value. Key: owner',
    ],
    [
      'a broken projection',
      [get('ann', { ProjectionExpression: 'a,,b' })],
      'Invalid ProjectionExpression: Syntax error',
    ],
  ] satisfies [string, Read[], string][])('is rejected as a whole for %s', async (_, reads, text) => {
    const error = await failure(read(reads))
    expect([error.name, error.message]).toEqual(['ValidationException', expect.stringContaining(text)])
  })

  it('is rejected when a table is missing, or when the items exceed 4 MB', async () => {
    await bank.close()
    bank = await Bank.open({ throttle: false })
    const nowhere = { Get: { TableName: 'nowhere', Key: { id: { N: '1' } } } }
    expect((await failure(read([get('ann'), nowhere]))).name).toBe('ResourceNotFoundException')
    const owners = Array.from({ length: 11 }, (_, at) => `o${at}`)
    const sized = (owner: string, bytes: number) =>
      put({
        owner: { S: owner },
        text: { S: 'x'.repeat(bytes - 'owner'.length - owner.length - 'text'.length) },
      })
    for (const owner of owners.slice(0, 10)) await bank.transact([sized(owner, 409_600)])
    const rest = 4_194_304 - 10 * 409_600
    await bank.transact([sized('o10', rest)])
    expect((await read(owners.map((owner) => get(owner)))).Responses).toHaveLength(11)
    await bank.transact([sized('o10', rest + 1)])
    const error = await failure(read(owners.map((owner) => get(owner))))
    expect([error.name, error.message]).toEqual([
      'ValidationException',
      expect.stringMatching(/^Payload in response is too large/),
    ])
  })
})

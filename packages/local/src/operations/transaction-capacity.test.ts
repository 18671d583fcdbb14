import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { holding, KEY, left, taken } from '../behaviour/accounts.js'
import { item, provisioned, TABLE_ARN } from '../behaviour/behaviour-bench.js'
import { accountFor, type RequestAccount } from '../capacity/request-account.js'
import { account, add, Bank, check, put, reasons, record, remove } from '../transaction/bank.fixture.js'

let bank: Bank
beforeEach(async () => {
  bank = await Bank.open()
})
afterEach(() => bank.close())

describe('the capacity of a transaction that writes', () => {
  it('is twice that of its writes, including checks and index entries', async () => {
    const { ConsumedCapacity } = await bank.transact(
      [
        add('ann', 1),
        put(account('bob', 1, { branch: { S: 'b' } })),
        check('nobody', 'attribute_not_exists(balance)'),
        remove('nobody2'),
        record(1),
      ],
      { ReturnConsumedCapacity: 'INDEXES' },
    )
    const writes = (CapacityUnits: number) => ({ CapacityUnits, WriteCapacityUnits: CapacityUnits })
    expect(ConsumedCapacity).toEqual([
      {
        TableName: 'accounts',
        ...writes(10),
        Table: writes(8),
        GlobalSecondaryIndexes: { by_branch: writes(2) },
      },
      { TableName: 'transfers', ...writes(2), Table: writes(2) },
    ])
    const large = put({ owner: { S: 'l' }, text: { S: 'x'.repeat(2_500) } })
    const { ConsumedCapacity: total } = await bank.transact([large], { ReturnConsumedCapacity: 'TOTAL' })
    expect(total).toEqual([{ TableName: 'accounts', CapacityUnits: 6, WriteCapacityUnits: 6 }])
  })

  const TABLE_FULL =
    'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.'

  it('is charged for a cancelled transaction too', async () => {
    await bank.close()
    bank = await Bank.open({}, { units: 1 })
    const failing = [check('nobody', 'attribute_exists(balance)'), record(1)]
    await expect(reasons(bank.transact(failing))).resolves.toMatchObject([
      { Code: 'ConditionalCheckFailed' },
      {},
    ])
    // The first put and the failed check have consumed the table's units of this second.
    expect(await reasons(bank.transact([record(1), put(account('bob', 1))]))).toEqual([
      { Code: 'None' },
      { Code: 'ProvisionedThroughputExceeded', Message: TABLE_FULL },
    ])
    expect((await bank.everything())[2]).toEqual([])
  })

  it('is that of the items alone for a cancelled transaction, without entries of indexes that it never wrote', async () => {
    const { ProvisionedThroughput } = provisioned(1_000, 1_000)
    const bench = holding(3_000, {
      global: { by_kind: { key: ['kind'], ProvisionedThroughput } },
      local: { by_other: { sort: 'other', projected: 'ALL' } },
    })
    const account: RequestAccount = { takes: [], refusals: [] }
    const [before, leftBefore] = [taken(bench), left(bench)]
    const written = item('b', 'b', 1_500, { kind: { S: 'k' }, other: { S: 'o' } })
    const check = { Key: KEY, ConditionExpression: 'attribute_not_exists(pk)' }
    const Put = { TableName: 'events', Item: written }
    const cancelled = { TransactItems: [{ Put }, { ConditionCheck: { TableName: 'events', ...check } }] }
    const failure = await accountFor(account, () => bench.laterFailureOf('TransactWriteItems', cancelled))
    expect(failure?.name).toBe('TransactionCanceledException')
    // Twice two units for the item that was not put, and twice three for the one that was checked.
    expect(taken(bench) - before).toBe(4 + 6)
    expect(leftBefore - left(bench)).toBe(4 + 6)
    expect(account.takes.map(({ resource, units }) => [resource, units])).toEqual([
      [TABLE_ARN, 4],
      [TABLE_ARN, 6],
    ])
    await bench.ask('TransactWriteItems', { TransactItems: [{ Put }] })
    expect(taken(bench) - before).toBe(10 + 4 + 4 + 4)
  })

  it('is that of the proposed item for an action that fails, if that is larger', async () => {
    const bench = holding(1)
    const before = taken(bench)
    const Put = {
      TableName: 'events',
      Item: item('a', 'a', 2_500),
      ConditionExpression: 'attribute_not_exists(pk)',
    }
    await bench.laterFailureOf('TransactWriteItems', { TransactItems: [{ Put }] })
    expect(taken(bench) - before).toBe(2 * 3)
  })

  it('is taken for all actions or none, and the reasons show which were throttled', async () => {
    await bank.close()
    bank = await Bank.open({ capacity: { partitionWriteUnitsPerSecond: 10, onDemandPartitions: 1 } })
    const large = put({ owner: { S: 'l' }, text: { S: 'x'.repeat(100_000) } })
    await bank.transact([large])
    const told = await reasons(bank.transact([record(1), put(account('bob', 1))]))
    expect(told?.map(({ Code }) => Code)).toEqual(['None', 'ThrottlingError'])
    expect(told?.[1]?.Message).toMatch(/^Throughput exceeds the current capacity of your table or index/)
    expect(bank.local.partitions('transfers').map(({ write }) => write.consumedUnits)).toEqual([0])
    expect(await bank.itemOf('bob')).toBeUndefined()
  })
})

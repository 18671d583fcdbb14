import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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

import { describe, expect, it } from 'vitest'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { DEFAULT_CAPACITY } from '../partition/capacity-parameters.js'
import { admit, type Demand, refusalOf, takeAll } from './admission.js'
import { KeyspaceCapacity } from './keyspace-capacity.js'
import { accountFor, currentAccount, type RequestAccount } from './request-account.js'
import { Throttled, type ThrottledResource } from './throttled.js'

const ENFORCED = { throttle: true }
const KEY = 'k' as EncodedKey

/** A keyspace that gives ten units a second, and a demand of it. */
function keyspace(arn: string, kind: 'Table' | 'Index' = 'Table') {
  const capacity = new KeyspaceCapacity(
    { kind, arn },
    { billingMode: 'PROVISIONED', throughput: { readUnits: 10, writeUnits: 10 } },
    { ...DEFAULT_CAPACITY, onDemandPartitions: 1 },
    0,
    { wholeCollections: false, onSplit: () => {} },
  )
  const demand = (units: number, rest: Partial<Demand> = {}): Demand => ({
    capacity,
    kind: 'write',
    key: KEY,
    units,
    ...rest,
  })
  return { capacity, demand, write: capacity.partitions.find(KEY).write }
}

const reason = (resource: string, of: 'Table' | 'Index' = 'Table') => ({
  reason: `${of}WriteProvisionedThroughputExceeded`,
  resource,
})

/** What a request was refused with. */
function refused(demands: readonly Demand[]): Throttled {
  try {
    admit(demands, 'PROVISIONED', 0, ENFORCED)
  } catch (error) {
    if (error instanceof Throttled) return error
    throw error
  }
  return expect.fail('It was admitted.')
}

function accounted(work: () => void): RequestAccount {
  const account: RequestAccount = { takes: [], refusals: [] }
  accountFor(account, work)
  return account
}

describe('a request with several demands', () => {
  it('takes all of its units, of each keyspace', () => {
    const [table, index] = [keyspace('table'), keyspace('index', 'Index')]
    admit([table.demand(3), index.demand(4)], 'PROVISIONED', 0, ENFORCED)
    expect([table.write.consumedUnits, index.write.consumedUnits]).toEqual([3, 4])
  })

  it('takes nothing if one of them is refused, and has the reason of each that is', () => {
    const [table, index, other] = [keyspace('table'), keyspace('index', 'Index'), keyspace('other', 'Index')]
    takeAll([index.demand(10), other.demand(10)], 0)
    const { billingMode, reasons } = refused([table.demand(1), index.demand(1), other.demand(1)])
    expect(billingMode).toBe('PROVISIONED')
    expect(reasons).toEqual([reason('index', 'Index'), reason('other', 'Index')])
    expect(table.write.consumedUnits).toBe(0)
    expect([index.write.throttledRequests, other.write.throttledRequests]).toEqual([1, 1])
    expect(table.write.throttledRequests).toBe(0)
  })

  it('has a reason once, however many of its demands are refused for it', () => {
    const table = keyspace('table')
    takeAll([table.demand(10)], 0)
    expect(refused([table.demand(1), table.demand(1)]).reasons).toEqual([reason('table')])
    expect(table.write.throttledRequests).toBe(2)
  })

  it('has each reason of one keyspace', () => {
    const table = keyspace('table')
    const [write, read] = [table.demand(10), table.demand(10, { kind: 'read' })]
    takeAll([write, read], 0)
    expect(refused([write, read]).reasons).toEqual([
      reason('table'),
      { reason: 'TableReadProvisionedThroughputExceeded', resource: 'table' },
    ])
  })

  it('is admitted where limits are not enforced, and its units are recorded all the same', () => {
    const table = keyspace('table')
    takeAll([table.demand(10)], 0)
    admit([table.demand(5)], 'PROVISIONED', 0, { throttle: false })
    expect(refusalOf([table.demand(1)], 'PROVISIONED', 0, { throttle: false })).toBeUndefined()
    expect(table.write).toMatchObject({ consumedUnits: 15, throttledRequests: 0 })
  })
})

describe('a demand that may wait', () => {
  it('is refused only if there is no room to wait in, and takes its units when its turn comes', () => {
    const index = keyspace('index', 'Index')
    takeAll([index.demand(10)], 0)
    let full: ThrottledResource | undefined
    const waiting = index.demand(1, { waitingRoom: { refusal: () => full } })
    admit([waiting], 'PROVISIONED', 0, ENFORCED)
    expect(index.write.consumedUnits).toBe(10)
    full = { reason: 'IndexWriteProvisionedThroughputExceeded', resource: 'index' }
    expect(refused([waiting]).reasons).toEqual([full])
  })
})

describe('the account of a request', () => {
  it('has what it took, and what it will take later', () => {
    const [table, index] = [keyspace('table'), keyspace('index', 'Index')]
    const { takes, refusals } = accounted(() =>
      takeAll([table.demand(3), index.demand(4, { waitingRoom: { refusal: () => undefined } })], 0),
    )
    expect(takes).toEqual([
      { resource: 'table', kind: 'write', partition: table.capacity.partitions.find(KEY).id, units: 3 },
      { resource: 'index', kind: 'write', partition: index.capacity.partitions.find(KEY).id, units: 4 },
    ])
    expect(refusals).toEqual([])
    expect(index.write.consumedUnits).toBe(0)
  })

  it('has the demands that were refused, those with the same reason too', () => {
    const table = keyspace('table')
    takeAll([table.demand(10)], 0)
    const { takes, refusals } = accounted(() => {
      refusalOf([table.demand(1), table.demand(1)], 'PROVISIONED', 0, ENFORCED)
    })
    const refusal = {
      resource: 'table',
      kind: 'write',
      partition: table.capacity.partitions.find(KEY).id,
      reason: 'TableWriteProvisionedThroughputExceeded',
    }
    expect(refusals).toEqual([[refusal, refusal]])
    expect(takes).toEqual([])
  })

  it('follows the request through what it waits for, and ends with it', async () => {
    const account: RequestAccount = { takes: [], refusals: [] }
    await accountFor(account, async () => {
      await Promise.resolve()
      expect(currentAccount()).toBe(account)
    })
    expect(currentAccount()).toBeUndefined()
  })
})

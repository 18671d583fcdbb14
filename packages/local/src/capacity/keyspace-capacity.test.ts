import { describe, expect, it } from 'vitest'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { type CapacityParameters, DEFAULT_CAPACITY } from '../partition/capacity-parameters.js'
import type { CapacitySettings } from './capacity-settings.js'
import { KeyspaceCapacity, type PartitionOptions } from './keyspace-capacity.js'

const ON_DEMAND: CapacitySettings = {
  billingMode: 'PAY_PER_REQUEST',
  throughput: { readUnits: 0, writeUnits: 0 },
}

/** One partition, and no limit besides the ones that a test sets. */
const PARAMETERS: CapacityParameters = { ...DEFAULT_CAPACITY, onDemandPartitions: 1 }

const KEY = 'k' as EncodedKey

function provisioned(readUnits: number, writeUnits: number): CapacitySettings {
  return { billingMode: 'PROVISIONED', throughput: { readUnits, writeUnits } }
}

function keyspace(
  settings: CapacitySettings,
  parameters: Partial<CapacityParameters> = {},
  options: Partial<PartitionOptions> = {},
  kind: 'Table' | 'Index' = 'Table',
) {
  const capacity = new KeyspaceCapacity({ kind, arn: 'arn' }, settings, { ...PARAMETERS, ...parameters }, 0, {
    wholeCollections: false,
    onSplit: () => {},
    ...options,
  })
  return {
    capacity,
    refusal: (kind: 'read' | 'write', now = 0) =>
      capacity.refusal(kind, capacity.partitions.find(KEY), now)?.reason,
    take: (kind: 'read' | 'write', units: number, now = 0) =>
      capacity.take(kind, capacity.partitions.find(KEY), KEY, units, now),
    freeAt: (kind: 'read' | 'write', now = 0) => capacity.freeAt(kind, capacity.partitions.find(KEY), now),
  }
}

describe('a request is refused', () => {
  it.each([
    ['a provisioned table', provisioned(10, 10), 10, 'ProvisionedThroughputExceeded'],
    [
      'an on-demand table with a maximum',
      { ...ON_DEMAND, onDemandMaximum: { readUnits: 10, writeUnits: 10 } },
      10,
      'MaxOnDemandThroughputExceeded',
    ],
    ['an on-demand table without one', ON_DEMAND, 10, 'AccountLimitExceeded'],
  ] as const)(
    'when all units of %s are taken, and again after a second it is not',
    (_name, settings, units, reason) => {
      const { refusal, take } = keyspace(settings, { tableUnitsPerSecond: units })
      for (const [kind, access] of [
        ['read', 'Read'],
        ['write', 'Write'],
      ] as const) {
        expect(refusal(kind)).toBeUndefined()
        take(kind, units - 1)
        expect(refusal(kind)).toBeUndefined()
        take(kind, 1)
        expect(refusal(kind)).toBe(`Table${access}${reason}`)
        expect(refusal(kind, 1_000)).toBeUndefined()
      }
    },
  )

  it('when its partition has given what it gives, although the table has units left', () => {
    const { refusal, take } = keyspace(ON_DEMAND, { partitionWriteUnitsPerSecond: 5 })
    take('write', 5)
    expect(refusal('write')).toBe('TableWriteKeyRangeThroughputExceeded')
    expect(refusal('read')).toBeUndefined()
  })

  it('with the table as the reason when both are empty', () => {
    const { refusal, take } = keyspace(provisioned(10, 5), { partitionWriteUnitsPerSecond: 5 })
    take('write', 5)
    expect(refusal('write')).toBe('TableWriteProvisionedThroughputExceeded')
  })

  it('by an index in its own name', () => {
    const { capacity, take } = keyspace(provisioned(1, 1), {}, {}, 'Index')
    take('read', 1)
    expect(capacity.refusal('read', capacity.partitions.find(KEY), 0)).toEqual({
      reason: 'IndexReadProvisionedThroughputExceeded',
      resource: 'arn',
    })
    expect(capacity.resource).toBe('arn')
  })
})

describe('the time when a request is admitted', () => {
  it('is now while there are units', () => {
    expect(keyspace(provisioned(10, 10)).freeAt('write', 500)).toBe(500)
  })

  it.each([
    ['the table', provisioned(10, 10), {}, 20],
    ['its partition', ON_DEMAND, { partitionWriteUnitsPerSecond: 10 }, 20],
  ] as const)('is when %s has paid its debt', (_name, settings, parameters, units) => {
    const { freeAt, take, refusal } = keyspace(settings, parameters)
    take('write', units)
    const at = freeAt('write')
    expect(at).toBeGreaterThan(1_000)
    expect(at).toBeLessThan(1_001)
    expect(refusal('write', 1_000)).toBeDefined()
    expect(refusal('write', at)).toBeUndefined()
    expect(freeAt('read')).toBe(0)
  })
})

describe('what a table saves', () => {
  it.each([
    ['provisioned throughput', provisioned(1, 10), { tableBurstSeconds: 30 }, 30],
    [
      'a maximum',
      { ...ON_DEMAND, onDemandMaximum: { writeUnits: 10 } },
      { onDemandMaximumBurstSeconds: 20 },
      20,
    ],
    ['the limit of its account', ON_DEMAND, { tableUnitsPerSecond: 10, accountBurstSeconds: 3 }, 3],
  ] as const)(
    'of %s is what it has left for as long as the parameters say',
    (_name, settings, parameters, seconds) => {
      const { capacity, refusal, take } = keyspace(settings, parameters)
      const hour = 3_600_000
      expect(refusal('write', hour)).toBeUndefined()
      take('write', 10 * seconds - 1, hour)
      const isOfTable = () => refusal('write', hour)?.includes('KeyRange') === false
      expect(isOfTable()).toBe(false)
      take('write', 1, hour)
      expect(isOfTable()).toBe(true)
      expect(capacity.freeAt('write', capacity.partitions.find(KEY), hour)).toBeGreaterThan(hour)
    },
  )

  it('stays what it was, debts too, while other settings change', () => {
    const maximum = { ...ON_DEMAND, onDemandMaximum: { writeUnits: 10 } }
    const { capacity, take, refusal } = keyspace(maximum, { tableUnitsPerSecond: 10 })
    take('read', 20)
    take('write', 20)
    capacity.change({ ...maximum, warmThroughput: { readUnits: 1, writeUnits: 1 } }, 0)
    expect(refusal('read')).toBe('TableReadAccountLimitExceeded')
    expect(refusal('write')).toBe('TableWriteMaxOnDemandThroughputExceeded')
  })

  it('stays when its throughput changes, and not when the kind of its limit does', () => {
    const saved = (to: CapacitySettings) => {
      const { capacity, take, refusal } = keyspace(provisioned(10, 10), {
        tableBurstSeconds: 100,
        onDemandMaximumBurstSeconds: 100,
      })
      expect(refusal('write', 50_000)).toBeUndefined()
      capacity.change(to, 50_000)
      take('write', 40, 50_000)
      return refusal('write', 50_000)?.includes('KeyRange') !== false
    }
    expect(saved(provisioned(10, 20))).toBe(true)
    expect(saved({ ...ON_DEMAND, onDemandMaximum: { writeUnits: 10 } })).toBe(false)
  })
})

describe('the partitions of a keyspace', () => {
  const count = (settings: CapacitySettings, parameters: Partial<CapacityParameters> = {}) =>
    keyspace(settings, parameters).capacity.partitions.all.length

  it('are as many as its throughput needs, or its warm throughput if that is more', () => {
    expect(count(ON_DEMAND, { onDemandPartitions: 4 })).toBe(4)
    expect(count(provisioned(3_000, 2_000))).toBe(3)
    const warmThroughput = { readUnits: 12_000, writeUnits: 7_000 }
    expect(count({ ...ON_DEMAND, warmThroughput })).toBeGreaterThanOrEqual(7)
    expect(count({ ...provisioned(3_000, 2_000), warmThroughput: { readUnits: 1, writeUnits: 1 } })).toBe(3)
  })

  it('become more when the settings need more, and never fewer', () => {
    const { capacity } = keyspace(provisioned(3_000, 1_000))
    expect(capacity.partitions.all).toHaveLength(2)
    capacity.change(provisioned(3_000, 3_000), 0)
    expect(capacity.partitions.all.length).toBeGreaterThanOrEqual(4)
    const most = capacity.partitions.all.length
    capacity.change(provisioned(1, 1), 0)
    expect(capacity.partitions.all).toHaveLength(most)
  })

  it('become more by on-demand use, which is stored, and not by the use of provisioned throughput', () => {
    const minute = 60_000
    const grown = (settings: CapacitySettings) => {
      let peaks = 0
      const { capacity, take } = keyspace(
        settings,
        { onDemandGrowthSeconds: 0, tableUnitsPerSecond: 1e6 },
        { onPeak: () => peaks++ },
      )
      take('write', 4_000 * 60, 1)
      take('write', 1, minute + 1)
      take('write', 1, 2 * minute + 1)
      return {
        partitions: capacity.partitions.all.length,
        peaks,
        grownTo: capacity.grownTo,
        kept: capacity.kept,
      }
    }
    const onDemand = grown(ON_DEMAND)
    expect(onDemand.partitions).toBeGreaterThanOrEqual(8)
    expect(onDemand.peaks).toBe(1)
    expect(onDemand.grownTo).toEqual({ readUnits: 0, writeUnits: 8_000 })
    expect(onDemand.kept.peaks.write.previous).toBe(4_000)
    expect(onDemand.kept).not.toHaveProperty('shares')
    const fixed = grown(provisioned(1, 1))
    expect(fixed).toMatchObject({ partitions: 1, peaks: 0, grownTo: { readUnits: 0, writeUnits: 0 } })
  })

  it('divide provisioned throughput in the classic model alone, and keep their shares', () => {
    const shares = (settings: CapacitySettings, model: CapacityParameters['model']) =>
      keyspace(settings, { model }).capacity.kept.shares
    expect(shares(provisioned(3_000, 1_000), 'classic')).toEqual({ read: [1_500, 1_500], write: [500, 500] })
    expect(shares(provisioned(3_000, 1_000), 'adaptive')).toBeUndefined()
    expect(shares(ON_DEMAND, 'classic')).toBeUndefined()
  })
})

describe('an idle partition', () => {
  it.each([
    ['an index', 'Index', 'write', 57_000],
    ['a table', 'Table', 'write', 1_000],
    ['an index', 'Index', 'read', 3_000],
    ['a table', 'Table', 'read', 3_000],
  ] as const)('of %s (%s) gives at once, of %s units: %i', (_name, owner, kind, units) => {
    const { refusal, take } = keyspace(ON_DEMAND, { tableUnitsPerSecond: 1e6 }, {}, owner)
    take(kind, units - 1)
    expect(refusal(kind)).toBeUndefined()
    take(kind, 1)
    expect(refusal(kind)).toContain('KeyRange')
  })
})

describe('reads and writes', () => {
  it.each([
    ['provisioned', provisioned(20, 10)],
    ['on demand with a maximum', { ...ON_DEMAND, onDemandMaximum: { readUnits: 20, writeUnits: 10 } }],
  ])('have limits of their own: %s', (_name, settings) => {
    const { refusal, take } = keyspace(settings)
    take('read', 15)
    take('write', 15)
    expect(refusal('read')).toBeUndefined()
    expect(refusal('write')).toBeDefined()
  })
})

describe('shares of partitions in the classic model', () => {
  const classic = () => keyspace(provisioned(3_000, 1_000), { model: 'classic' })

  it('change with the throughput, of reads and of writes', () => {
    const { capacity } = classic()
    capacity.change(provisioned(2_000, 1_000), 0)
    expect(capacity.kept.shares).toEqual({ read: [1_000, 1_000], write: [500, 500] })
    capacity.change(provisioned(2_000, 500), 0)
    expect(capacity.kept.shares).toEqual({ read: [1_000, 1_000], write: [250, 250] })
    capacity.change(ON_DEMAND, 0)
    expect(capacity.kept.shares).toBeUndefined()
  })

  it('keep what they have given when the throughput stays as it is', () => {
    const { capacity, take, refusal } = classic()
    take('write', 500)
    expect(refusal('write')).toBe('TableWriteKeyRangeThroughputExceeded')
    capacity.change({ ...provisioned(3_000, 1_000), warmThroughput: { readUnits: 1, writeUnits: 1 } }, 0)
    expect(refusal('write')).toBe('TableWriteKeyRangeThroughputExceeded')
  })

  it('stay halves of a split one until the throughput changes', () => {
    const { capacity } = classic()
    const [first] = capacity.partitions.all
    if (first === undefined) return expect.fail('A keyspace has a partition.')
    capacity.partitions.split(first, KEY, 'size', 0)
    const halved = { read: [750, 750, 1_500], write: [250, 250, 500] }
    expect(capacity.kept.shares).toEqual(halved)
    capacity.change({ ...provisioned(3_000, 1_000), warmThroughput: { readUnits: 1, writeUnits: 1 } }, 0)
    expect(capacity.kept.shares).toEqual(halved)
    capacity.change(provisioned(3_000, 900), 0)
    expect(capacity.kept.shares?.write).toEqual([300, 300, 300])
  })

  it('end with a mode that has none, although it allows as much', () => {
    const { capacity } = classic()
    capacity.change({ ...ON_DEMAND, onDemandMaximum: { readUnits: 3_000, writeUnits: 1_000 } }, 0)
    expect(capacity.kept.shares).toBeUndefined()
  })

  it('are those that were stored', () => {
    const shares = { read: [2_000, 1_000], write: [700, 300] }
    const peaks = { read: { previous: 0, coming: [] }, write: { previous: 0, coming: [] } }
    const { capacity } = keyspace(
      provisioned(3_000, 1_000),
      { model: 'classic' },
      { kept: { peaks, shares } },
    )
    expect(capacity.kept).toEqual({ peaks, shares })
  })
})

describe('a refusal', () => {
  it.each([
    ['a partition', 'TableWriteKeyRangeThroughputExceeded', 1],
    ['the whole table', 'TableWriteProvisionedThroughputExceeded', 0],
  ] as const)('by %s makes the partition hot, or does not', (_name, reason, splits) => {
    let events = 0
    const { capacity } = keyspace(ON_DEMAND, { heatSeconds: 3 }, { onSplit: () => events++ })
    for (let second = 0; second < 5; second++) {
      for (let index = 0; index < 10; index++) {
        const key = String.fromCharCode(97 + index) as EncodedKey
        capacity.throttle('write', capacity.partitions.find(key), key, reason, second * 1_000)
      }
    }
    expect(Math.min(1, events)).toBe(splits)
  })
})

describe('a partition that refuses many keys', () => {
  it.each([
    ['is split between them', false, 'split'],
    ['is not split for pages of entries, none of which is known to be hot', true, 'split-refused'],
  ])('%s', (_name, isPage, outcome) => {
    const outcomes = new Set<string>()
    const { capacity } = keyspace(
      ON_DEMAND,
      { heatSeconds: 3 },
      { onSplit: ({ type }) => outcomes.add(type) },
    )
    for (let second = 0; second < 5; second++) {
      for (const key of ['a', 'b', 'c', 'd'] as EncodedKey[]) {
        const partition = capacity.partitions.find(key)
        const of = [partition, key, 'TableReadKeyRangeThroughputExceeded', second * 1_000] as const
        if (isPage) capacity.throttle('read', ...of, true)
        else capacity.throttle('read', ...of)
      }
    }
    expect([...outcomes]).toEqual([outcome])
  })
})

describe('what is recorded', () => {
  it('are units and refusals of requests, and changes of the settings, but not what the service uses itself', () => {
    const recorded: unknown[] = []
    const meter = {
      consumed: (...args: unknown[]) => recorded.push(['consumed', ...args]),
      throttled: (...args: unknown[]) => recorded.push(['throttled', ...args]),
      changed: (...args: unknown[]) => recorded.push(['changed', ...args]),
    }
    const { capacity, refusal } = keyspace(ON_DEMAND, { tableUnitsPerSecond: 10 }, { meter })
    const partition = capacity.partitions.find(KEY)
    capacity.take('write', partition, KEY, 4, 1)
    capacity.occupy('write', partition, KEY, 6, 2)
    expect(refusal('write', 0)).toBe('TableWriteAccountLimitExceeded')
    capacity.throttle('write', partition, KEY, 'TableWriteAccountLimitExceeded', 3)
    capacity.change(provisioned(1, 1), 4)
    expect(recorded).toEqual([
      ['changed', ON_DEMAND, 0],
      ['consumed', 'write', KEY, 4, 1],
      ['throttled', 'write', KEY, 'TableWriteAccountLimitExceeded', 3],
      ['changed', provisioned(1, 1), 4],
    ])
    expect(partition.write.consumedUnits).toBe(10)
    expect(partition.write.throttledRequests).toBe(1)
  })
})

import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { DEFAULT_CAPACITY } from '../partition/capacity-parameters.js'
import { MeasuredStorage } from '../partition/measured-storage.js'
import { MemoryStorage } from '../storage/memory-storage.js'
import { DEFAULT_STREAMS } from '../stream/stream-parameters.js'
import { DEFAULT_PROPAGATION } from '../table/index-queue.js'
import type { TableDefinition } from '../table/table-definition.js'
import { REAL_DELAYS } from './control-plane-delays.js'
import { openCatalog } from './open-catalog.js'

const REGION = 'us-east-1'

const DEFINITION: TableDefinition = {
  name: 'files',
  schema: { hash: [{ name: 'path', type: 'S' }], range: [] },
  attributes: [{ name: 'path', type: 'S' }],
  billingMode: 'PAY_PER_REQUEST',
  throughput: { readUnits: 0, writeUnits: 0 },
  indexes: [],
  deletionProtection: false,
}

function opened() {
  const clock = new VirtualClock()
  const storage = new MeasuredStorage(new MemoryStorage(), clock)
  const open = openCatalog({
    storage,
    records: storage.records(),
    clock,
    random: new SeededRandom(1),
    capacity: DEFAULT_CAPACITY,
    streams: DEFAULT_STREAMS,
    propagation: DEFAULT_PROPAGATION,
    delays: REAL_DELAYS,
    enforcement: { throttle: true },
    onPartitionEvent: () => {},
    transferFailures: new Map(),
    completedExport: undefined,
  })
  const recordNames = () => [...storage.records()].map(([name]) => name)
  const pass = (milliseconds: number) => clock.run(() => clock.sleep(milliseconds))
  return { ...open, pass, recordNames }
}

describe('a table whose deletion has ended', () => {
  it('is no longer found, and is removed from the store when the catalog settles', async () => {
    const { catalog, lifeCycle, pass, recordNames } = opened()
    const table = lifeCycle.create(REGION, DEFINITION, {})
    await catalog.save(table)
    await pass(REAL_DELAYS.createTable)
    await lifeCycle.delete(table)
    expect(catalog.get(REGION, 'files')).toBe(table)

    await pass(REAL_DELAYS.deleteTable)
    expect(catalog.get(REGION, 'files')).toBeUndefined()
    expect(catalog.names(REGION)).toEqual([])
    expect(recordNames()).toContain(`table/${REGION}/files`)

    lifeCycle.settle()
    expect(recordNames()).toEqual([])
  })

  it('gives way to a new table of its name', async () => {
    const { catalog, lifeCycle, pass, recordNames } = opened()
    const table = lifeCycle.create(REGION, DEFINITION, {})
    await pass(REAL_DELAYS.createTable)
    await lifeCycle.delete(table)
    await pass(REAL_DELAYS.deleteTable)

    const another = lifeCycle.create(REGION, DEFINITION, {})
    await catalog.save(another)
    lifeCycle.settle()
    expect(catalog.get(REGION, 'files')).toBe(another)
    expect(recordNames()).toContain(`table/${REGION}/files`)
  })
})

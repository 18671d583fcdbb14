import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import type { LogicalKey } from '../../keys/key.js'
import { KeyHeat } from './key-heat.js'
import { tableHeat } from './table-heat.js'
import { TableThrottles } from './table-throttles.js'

const key = (text: string) => ({ S: text }) as LogicalKey

function heatOf(units: Readonly<Record<string, number>>): KeyHeat {
  const heat = new KeyHeat(new VirtualClock())
  for (const [name, offered] of Object.entries(units)) {
    heat.offered(key(name), offered)
    heat.accepted(key(name), offered / 2)
    heat.throttled(key(name), offered / 4)
  }
  return heat
}

describe('the heat of a table', () => {
  it('is that of its hottest keys, per second, with their cached counts', () => {
    const heat = heatOf({ cold: 20, hot: 200, warm: 100 })
    const shardsOf = (of: LogicalKey) => ('S' in of && of.S === 'hot' ? 4 : undefined)
    const snapshot = tableHeat({ table: 'log', heat, reads: undefined, shardsOf, at: 7 }, 2)
    expect(snapshot).toEqual({
      table: 'log',
      at: 7,
      keys: [
        {
          logicalKey: 'hot',
          shards: 4,
          recentUnits: 200,
          recentUnitsError: 0,
          offeredUnitsPerSecond: 40,
          acceptedUnitsPerSecond: 20,
          throttledUnitsPerSecond: 10,
        },
        expect.objectContaining({ logicalKey: 'warm', shards: undefined, offeredUnitsPerSecond: 20 }),
      ],
      otherKeysAtMost: 20,
    })
    expect(snapshot).not.toHaveProperty('reads')
  })

  it('has the reads apart, once there are any', () => {
    const options = { table: 'log', heat: heatOf({}), reads: heatOf({ k: 5 }), shardsOf: () => 1, at: 0 }
    expect(tableHeat(options, 10)).toMatchObject({
      keys: [],
      otherKeysAtMost: 0,
      reads: { keys: [{ logicalKey: 'k', offeredUnitsPerSecond: 1 }], otherKeysAtMost: 0 },
    })
  })
})

describe('a table that is throttled as a whole', () => {
  it('emits an event a second for each kind of access', () => {
    const clock = new VirtualClock(0)
    const events: unknown[] = []
    const throttles = new TableThrottles('log', clock, (event) => events.push(event))
    throttles.throttled(['Full'], 'write')
    throttles.throttled(['Full'], 'write')
    throttles.throttled([], 'read')
    clock.advance(999)
    throttles.throttled([], 'write')
    clock.advance(1)
    throttles.throttled([], 'write')
    const about = { type: 'table-throttled', table: 'log' }
    expect(events).toEqual([
      { ...about, reasons: ['Full'], access: 'write', at: 0 },
      { ...about, reasons: [], access: 'read', at: 0 },
      { ...about, reasons: [], access: 'write', at: 1_000 },
    ])
  })
})

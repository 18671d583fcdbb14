import { describe, expect, it } from 'vitest'
import type { Process } from '../world/process.js'
import { Scheduler } from '../world/scheduler.js'
import type { World } from '../world/world.js'
import { ChangesByHand } from './changes-by-hand.js'

const process = { name: 'p1' } as Process
const other = { name: 'p2' } as Process
const change = { process, table: 'log', key: 'a', shards: 3 }

describe('a change by hand', () => {
  it('is told by its process, its key and its count, until nothing of it can arrive any more', async () => {
    const scheduler = new Scheduler(0)
    const changes = new ChangesByHand({ scheduler } as World, 2_000)
    await changes.during(change, async () => {
      expect(changes.has(process, 'log', 'a', 3)).toBe(true)
      expect(changes.has(process, 'log', 'a', 4)).toBe(false)
      expect(changes.has(process, 'log', 'b', 3)).toBe(false)
      expect(changes.has(other, 'log', 'a', 3)).toBe(false)
    })
    await scheduler.run(1_999)
    expect(changes.has(process, 'log', 'a', 3)).toBe(true)
    await scheduler.run(2_000)
    expect(changes.has(process, 'log', 'a', 3)).toBe(false)
  })
})

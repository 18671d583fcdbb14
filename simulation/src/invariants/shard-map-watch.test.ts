import { describe, expect, it } from 'vitest'
import type { Process } from '../world/process.js'
import type { Violation } from '../world/violation.js'
import type { WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import { ShardMapWatch, type WatchOptions } from './shard-map-watch.js'

const COOLDOWN = 10_000

/** A shard map of one key, written by hand. */
class Fixture {
  readonly watch: ShardMapWatch
  violation: Violation | undefined
  now = 1_000_000
  readonly #world: World
  #item: object = {}
  #history: string[] = []

  constructor(options: Partial<WatchOptions> = {}) {
    const fixture = this
    this.#world = {
      get now() {
        return fixture.now
      },
      elapsed: 0,
      furthestAhead: 0,
      lane: { execute: async () => ({ output: { Item: this.#item } }) },
      trace: { told: () => {} },
      guard: (error: Violation) => {
        this.violation ??= error
      },
    } as unknown as World
    const table = { name: 'log', partitionKey: 'file', sharded: {} } as WorkloadTable
    this.watch = new ShardMapWatch(this.#world, table, {
      initialShards: 1,
      mayGrow: true,
      cooldownMilliseconds: COOLDOWN,
      isByHand: () => false,
      onChanged: () => {},
      calendarMilliseconds: 0,
      drift: 0,
      itemsOf: () => [],
      ...options,
    })
  }

  /** The shard map tells of another count from now on. @param history what it says of the past; as it was, and this, by default */
  async tells(shards: number, history = [...this.#history, `${this.now / 1_000}:${shards}`]): Promise<this> {
    this.#history = history
    this.#item = {
      file: { S: 'a' },
      number_of_shards: { N: String(shards) },
      shard_history: { SS: history },
    }
    this.watch.observe({
      process: {} as Process,
      operation: 'PutItem',
      input: { TableName: 'log_shard_map', Item: this.#item },
      output: {},
      error: undefined,
    })
    await new Promise((resolve) => setImmediate(resolve))
    return this
  }

  async grows(times: number, everyMilliseconds: number): Promise<this> {
    await this.tells(1)
    for (let shards = 2; shards < 2 + times; shards++) {
      this.now += everyMilliseconds
      await this.tells(shards)
    }
    return this
  }
}

describe('a count that changes', () => {
  it('may do so once a cooldown, as often as it likes', async () => {
    expect((await new Fixture().grows(10, COOLDOWN)).violation).toBeUndefined()
  })

  it('may hurry with its first change, and not with a second one', async () => {
    expect((await new Fixture().grows(1, 1_000)).violation).toBeUndefined()
    expect((await new Fixture().grows(2, 1_000)).violation?.rule).toBe('a count changes once a cooldown')
  })

  it('may do so at any time by hand', async () => {
    expect((await new Fixture({ isByHand: () => true }).grows(10, 1_000)).violation).toBeUndefined()
  })

  it('waits for itself also where people change it in between', async () => {
    const isByHand = (_process: Process, _key: string, shards: number) => shards % 2 === 0
    expect((await new Fixture({ isByHand }).grows(10, 1_000)).violation?.rule).toBe(
      'a count changes once a cooldown',
    )
  })

  it('has to wait from the end of the change before it', async () => {
    const fixture = await new Fixture().grows(1, 1_000)
    fixture.now += COOLDOWN - 2_000
    // What was done is told once more, as when items were moved: that is no change.
    await fixture.tells(2)
    fixture.now += 3_000
    expect((await fixture.tells(3)).violation?.rule).toBe('a count changes once a cooldown')
  })
})

describe('a key that is seen first', () => {
  it('has the initial count', async () => {
    expect((await new Fixture().tells(2)).violation?.rule).toBe('a key begins with the initial count')
  })

  it('has no past', async () => {
    const { violation } = await new Fixture().tells(1, ['990:3', '1000:1'])
    expect(violation?.rule).toBe('a key begins with the initial count')
  })
})

describe('an item', () => {
  const item = (shard: number) => ({ table: 'log', logicalKey: 'a', sort: '1', shards: new Set([shard]) })

  it('is where readers look who find no entry of its key', () => {
    const { watch } = new Fixture({ initialShards: 2 })
    expect(() => watch.checkCovered(item(2))).not.toThrow()
    expect(() => watch.checkCovered(item(3))).toThrow('the history covers every shard that holds an item')
  })

  it('is where readers look who find one', async () => {
    const { watch } = await new Fixture().grows(1, COOLDOWN)
    expect(() => watch.checkCovered(item(2))).not.toThrow()
    expect(() => watch.checkCovered(item(3))).toThrow('readers look in 2')
  })
})

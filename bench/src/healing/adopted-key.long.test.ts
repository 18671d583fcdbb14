import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { dynamicShards, type IsothermEvent, isotherm } from 'isotherm'
import { describe, expect, it } from 'vitest'
import { FleetWorld, itemAt, KEY, TABLE } from './fleet-world.js'

const ITEM_BYTES = 500

interface Change {
  /** From the change of the count by hand to its end. */
  readonly seconds: number
  /** From the end of the first wait to the end of the pass. */
  readonly movingSeconds: number
  readonly moved: number
  readonly failed: number
  /** Of the application's writes while the count changes, in milliseconds. */
  readonly latencies: readonly number[]
}

/** Gives an adopted key a second shard while an application replaces its items. */
async function changed(items: number, writesPerSecond: number): Promise<Change> {
  const world = new FleetWorld(1, {}, () => {})
  const { clock } = world
  const events: IsothermEvent[] = []
  const process = (seed: number) => {
    const random = new SeededRandom(seed)
    const table = { partitionKey: 'pk', sortKey: 'sk', suffix: 'calculated', adopt: true } as const
    return isotherm(world.client(random), {
      tables: { [TABLE]: { ...table, shards: dynamicShards() } },
      clock,
      random,
      onEvent: (event) => events.push(event),
    })
  }
  const latencies: number[] = []
  let failed = 0
  let from = 0
  await clock.run(async () => {
    await world.create({
      ...{ name: 'adopted', title: '', suffix: 'calculated', write: 'put', items: 1, seconds: 1, target: {} },
      table: { billing: 'provisioned', writeUnits: 40_000 },
      load: { kind: 'closed', writers: 1, everyMilliseconds: 1_000 },
      adopted: items,
      itemBytes: ITEM_BYTES,
    })
    const [driver, writer] = [process(2), process(3)]
    const isOver = () => events.some(({ type }) => type === 'settled' || type === 'failed')
    const write = async (at: number) => {
      const begun = clock.now()
      const sending = writer.send(new PutItemCommand({ TableName: TABLE, Item: itemAt(at, ITEM_BYTES) }))
      await sending.then(
        () => latencies.push(clock.now() - begun),
        () => {
          failed += 1
        },
      )
    }
    from = clock.now()
    await driver.shards(TABLE, KEY).set(2)
    const underWay: Promise<void>[] = []
    const random = new SeededRandom(4)
    while (!isOver()) {
      await clock.sleep(writesPerSecond === 0 ? 1_000 : 1_000 / writesPerSecond)
      if (writesPerSecond > 0) underWay.push(write(Math.floor(random.next() * items)))
    }
    await Promise.all(underWay)
    for (const db of [driver, writer]) db.destroy()
  })
  await world.close()
  const at = (type: IsothermEvent['type']) => events.find((event) => event.type === type)?.at ?? Number.NaN
  const drained = events.find((event) => event.type === 'drained')
  return {
    seconds: (at('settled') - from) / 1_000,
    movingSeconds: (at('drained') - at('scaled')) / 1_000,
    moved: drained?.moved ?? 0,
    failed,
    latencies: latencies.sort((a, b) => a - b),
  }
}

describe('an adopted key that gets a second shard', () => {
  it('settles within a minute with 5,000 items', async () => {
    const { seconds, moved } = await changed(5_000, 0)
    expect(seconds).toBeLessThan(60)
    expect(moved).toBeGreaterThan(2_000)
  })

  it('moves items fast enough for a million in 90 minutes, and harms no write of the application', async () => {
    const { movingSeconds, moved, failed, latencies } = await changed(40_000, 300)
    expect(1_000_000 / (moved / movingSeconds)).toBeLessThan(90 * 60)
    expect(failed).toBe(0)
    expect(latencies.length).toBeGreaterThan(10_000)
    // A write reads both places first: two round trips of at most 8 ms instead of one.
    expect(latencies[Math.floor(latencies.length * 0.99)]).toBeLessThan(17)
  })
})

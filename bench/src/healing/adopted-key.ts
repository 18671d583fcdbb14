import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { dynamicShards, type IsothermEvent, isotherm } from 'isotherm'
import { DEFAULTS } from './contestant.js'
import { FleetWorld, itemAt, KEY, TABLE } from './fleet-world.js'

/** A key with items from before the library, which gets a second shard while an application replaces its items. */
export interface AdoptedKey {
  readonly name: string
  readonly title: string
  /** Of 0.5 KB, all of one key. */
  readonly items: number
  readonly writesPerSecond: number
  readonly target: {
    /** From the change of the count to its end. */
    readonly seconds: number
    /** Of a write while the count changes: it reads both places first, so it takes two round trips instead of one. */
    readonly p99Milliseconds: number
  }
}

/** Two round trips of at most 8 ms. */
const TWO_ROUND_TRIPS_MILLISECONDS = 17

export const ADOPTED_KEYS: readonly AdoptedKey[] = [
  {
    name: 'adopted-5000',
    title: 'an adopted calculated key of 5,000 items gets a second shard',
    items: 5_000,
    writesPerSecond: 20,
    target: { seconds: 60, p99Milliseconds: TWO_ROUND_TRIPS_MILLISECONDS },
  },
  {
    name: 'adopted-million',
    title:
      'an adopted calculated key of 1,000,000 items, 300 of which are replaced each second, gets a second shard',
    items: 1_000_000,
    writesPerSecond: 300,
    target: { seconds: 90 * 60, p99Milliseconds: TWO_ROUND_TRIPS_MILLISECONDS },
  },
]

/** What one run gave. */
export interface AdoptedKeyRun {
  readonly shape: string
  readonly contestant: typeof DEFAULTS.name
  readonly seed: number
  /** From the change of the count by hand to its end. */
  readonly seconds: number
  /** From the end of the first wait to the end of the pass. */
  readonly movingSeconds: number
  readonly movedItems: number
  /** Of the application, while the count changed. */
  readonly writes: number
  readonly failedWrites: number
  /** Of the application's writes, in milliseconds: in the half minute before the change, and during it. */
  readonly p99Before: number
  readonly p99During: number
}

const ITEM_BYTES = 500
const BEFORE_MILLISECONDS = 30_000

/** Changes the count from 1 to 2. The same seed gives the same run. */
export async function runAdoptedKey(load: AdoptedKey, seed: number): Promise<AdoptedKeyRun> {
  const world = new FleetWorld(seed, {}, () => {})
  const { clock } = world
  const events: IsothermEvent[] = []
  const open = (processSeed: number) => {
    const random = new SeededRandom(processSeed)
    const table = { partitionKey: 'pk', sortKey: 'sk', suffix: 'calculated', adopt: true } as const
    return isotherm(world.client(random), {
      tables: { [TABLE]: { ...table, shards: dynamicShards() } },
      clock,
      random,
      onEvent: (event) => events.push(event),
    })
  }
  const random = new SeededRandom(seed * 1_000_003)
  let latencies: number[] = []
  let p99Before = 0
  let failedWrites = 0
  let changedAt = 0
  await clock.run(async () => {
    await createAdopted(world, load.items)
    const [driver, application] = [open(seed * 1_000_003 + 1), open(seed * 1_000_003 + 2)]
    const underWay = new Set<Promise<void>>()
    const replaceOne = async () => {
      const Item = itemAt(Math.floor(random.next() * load.items), ITEM_BYTES)
      const begun = clock.now()
      try {
        await application.send(new PutItemCommand({ TableName: TABLE, Item }))
        latencies.push(clock.now() - begun)
      } catch {
        failedWrites += 1
      }
    }
    const replaceUntil = async (isOver: () => boolean) => {
      while (!isOver()) {
        await clock.sleep(1_000 / load.writesPerSecond)
        const write = replaceOne()
        underWay.add(write)
        write.finally(() => underWay.delete(write))
      }
      await Promise.all(underWay)
    }
    const begun = clock.now()
    await replaceUntil(() => clock.now() - begun >= BEFORE_MILLISECONDS)
    p99Before = p99(latencies)
    latencies = []
    changedAt = clock.now()
    await driver.shards(TABLE, KEY).set(2)
    await replaceUntil(() => events.some(({ type }) => type === 'settled' || type === 'failed'))
    for (const db of [driver, application]) db.destroy()
  })
  await world.close()
  const at = (type: IsothermEvent['type']) => events.find((event) => event.type === type)?.at ?? Number.NaN
  const drained = events.find((event) => event.type === 'drained')
  return {
    ...{ shape: load.name, contestant: DEFAULTS.name, seed },
    seconds: (at('settled') - changedAt) / 1_000,
    movingSeconds: (at('drained') - at('scaled')) / 1_000,
    movedItems: drained?.moved ?? 0,
    writes: latencies.length + failedWrites,
    failedWrites,
    p99Before,
    p99During: p99(latencies),
  }
}

/** The targets that a run misses. A key that never settles misses the first. */
export function missedByAdoptedKey({ target }: AdoptedKey, run: AdoptedKeyRun): readonly string[] {
  return [
    run.seconds <= target.seconds ? [] : 'seconds',
    run.p99During <= target.p99Milliseconds ? [] : 'p99Milliseconds',
    run.failedWrites === 0 ? [] : 'failedWrites',
  ].flat()
}

async function createAdopted(world: FleetWorld, items: number): Promise<void> {
  await world.create({
    ...{ name: 'adopted', title: '', suffix: 'calculated', write: 'put', items: 1, seconds: 1, target: {} },
    table: { billing: 'provisioned', writeUnits: 40_000 },
    load: { kind: 'closed', writers: 1, everyMilliseconds: 1_000 },
    adopted: items,
    itemBytes: ITEM_BYTES,
  })
}

function p99(milliseconds: readonly number[]): number {
  return milliseconds.toSorted((a, b) => a - b)[Math.floor(milliseconds.length * 0.99)] ?? Number.NaN
}

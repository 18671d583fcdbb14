import { SeededRandom } from '@isotherm/runtime'
import { type Counter, counter } from 'isotherm/counter'
import { PatternWorld } from './pattern-world.js'

export interface CounterLoad {
  readonly seed: number
  readonly seconds: number
  readonly countsPerSecond: number
  readonly processes: number
  readonly tokens: boolean
  readonly lostReplies: number
}

export interface CounterLoadResult {
  /** What the counter says when everything has been answered, and how many counts were sent. */
  readonly value: number
  readonly sent: number
  /** Of the counts sent in each second, those that were answered by its end. The last few of a second are always late. */
  readonly answeredBySecond: readonly number[]
  readonly shards: number
}

const TABLE = 'counters'
const WARM_UNITS = 160_000

/** Offers counts to one counter that nobody has used, on virtual time. Each is sent until it is answered. */
export async function loadCounter(load: CounterLoad): Promise<CounterLoadResult> {
  const { seed, seconds, countsPerSecond, processes, tokens, lostReplies } = load
  // With tokens each count takes four units: an account that needs that many has a higher quota.
  const world = new PatternWorld({ seed, lostReplies, tableUnitsPerSecond: 2 * WARM_UNITS })
  const { clock } = world
  const open = (process: number): Counter =>
    counter(world.client(seed + process), {
      table: TABLE,
      partitionKey: 'id',
      key: 'Campaign#101',
      max: 1_000,
      clock,
      random: new SeededRandom(1_000 * seed + process),
    })
  const answeredBySecond = new Array<number>(seconds).fill(0)
  const result = await clock.run(async () => {
    await world.create({
      TableName: TABLE,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      WarmThroughput: { ReadUnitsPerSecond: 60_000, WriteUnitsPerSecond: WARM_UNITS },
    })
    const fleet = Array.from({ length: processes }, (_, process) => open(process))
    const from = clock.now()
    const secondNow = () => Math.floor((clock.now() - from) / 1_000)
    const aMillisecond = countsPerSecond / 1_000
    const sending: Promise<void>[] = []
    for (let at = 0; at < seconds * countsPerSecond; at++) {
      if (at % aMillisecond === 0) await clock.sleep(1)
      const second = secondNow()
      const one = untilAnswered(fleet[at % processes] as Counter, tokens ? `voter${at}` : undefined)
      sending.push(
        one.then(() => {
          if (secondNow() <= second) answeredBySecond[second] = (answeredBySecond[second] ?? 0) + 1
        }),
      )
    }
    await Promise.all(sending)
    const reader = open(processes)
    const { shards } = await reader.estimate(1)
    return { value: await reader.value(), shards }
  })
  await world.close()
  return { ...result, sent: seconds * countsPerSecond, answeredBySecond }
}

async function untilAnswered(votes: Counter, token: string | undefined): Promise<void> {
  for (;;) {
    try {
      await votes.add(1, token === undefined ? {} : { token })
      return
    } catch (error) {
      if (!(error instanceof Error) || !isExpected(error)) throw error
    }
  }
}

function isExpected({ name }: Error): boolean {
  return /Timeout|Throughput|Throttling|TransactionCanceled/.test(name)
}

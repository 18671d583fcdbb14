import { BatchWriteItemCommand, type DynamoDBClient, type WriteRequest } from '@aws-sdk/client-dynamodb'
import type { Local } from '@isotherm/local'
import { type Random, randomInteger, type VirtualClock } from '@isotherm/runtime'

/** A key that is written, and over how many shards. */
export interface OfferedKey {
  readonly name: string
  readonly writesPerSecond: number
  readonly shards: number
}

/** What one second brought. */
export interface SecondOfWrites {
  readonly offered: number
  readonly accepted: number
  /** Write units of the partition that took most. */
  readonly hottestUnits: number
}

/** Where, what and for how long. */
export interface OfferedWrites {
  readonly local: Local
  readonly client: DynamoDBClient
  readonly clock: VirtualClock
  readonly random: Random
  readonly table: string
  readonly hot: readonly OfferedKey[]
  readonly others: { readonly keys: number; readonly writesPerSecond: number }
  readonly seconds: number
  readonly itemBytes: number
}

const TICKS_PER_SECOND = 20
const BATCH = 25
/** The key, the sort key and the names of the attributes. */
const BYTES_BESIDES = 64

/** Offers writes evenly within each second. What is throttled is not tried again. */
export async function offerWrites(load: OfferedWrites): Promise<readonly SecondOfWrites[]> {
  const { local, clock, table, seconds } = load
  const due = new Due(load)
  const seen: SecondOfWrites[] = []
  let taken = unitsOf(local, table)
  for (let second = 0; second < seconds; second++) {
    let [offered, accepted] = [0, 0]
    for (let tick = 0; tick < TICKS_PER_SECOND; tick++) {
      const items = due.next()
      offered += items.length
      accepted += await write(load, items)
      clock.advance(1_000 / TICKS_PER_SECOND)
    }
    const now = unitsOf(local, table)
    const hottestUnits = Math.max(0, ...now.map((units, at) => units - (taken[at] ?? 0)))
    taken = now
    seen.push({ offered, accepted, hottestUnits })
  }
  return seen
}

/** The keys whose writes are due. */
class Due {
  readonly #load: OfferedWrites
  readonly #owed: number[]
  #number = 0

  constructor(load: OfferedWrites) {
    this.#load = load
    this.#owed = [...load.hot, load.others].map(() => 0)
  }

  next(): readonly WriteRequest[] {
    const { hot, others } = this.#load
    const rates = [...hot.map(({ writesPerSecond }) => writesPerSecond), others.writesPerSecond]
    const requests: WriteRequest[] = []
    for (const [index, rate] of rates.entries()) {
      let owed = (this.#owed[index] ?? 0) + rate / TICKS_PER_SECOND
      for (; owed >= 1; owed--) requests.push(this.#request(hot[index]))
      this.#owed[index] = owed
    }
    return requests
  }

  #request(key: OfferedKey | undefined): WriteRequest {
    const { random, others, itemBytes } = this.#load
    const name =
      key === undefined
        ? `other-${randomInteger(random, 1, others.keys)}`
        : key.shards === 1
          ? key.name
          : `${key.name}_${randomInteger(random, 1, key.shards)}`
    const sk = String(this.#number++).padStart(12, '0')
    const filler = 'x'.repeat(Math.max(0, itemBytes - BYTES_BESIDES))
    return { PutRequest: { Item: { pk: { S: name }, sk: { S: sk }, filler: { S: filler } } } }
  }
}

async function write({ client, table }: OfferedWrites, requests: readonly WriteRequest[]): Promise<number> {
  let accepted = 0
  for (let from = 0; from < requests.length; from += BATCH) {
    const batch = requests.slice(from, from + BATCH)
    accepted += batch.length
    try {
      const command = new BatchWriteItemCommand({ RequestItems: { [table]: batch } })
      const { UnprocessedItems } = await client.send(command)
      accepted -= UnprocessedItems?.[table]?.length ?? 0
    } catch (error) {
      // A batch of which nothing is accepted is refused as a whole.
      if (!(error instanceof Error) || !THROTTLES.has(error.name)) throw error
      accepted -= batch.length
    }
  }
  return accepted
}

const THROTTLES = new Set(['ThrottlingException', 'ProvisionedThroughputExceededException'])

/** Write units that each partition has taken so far. */
function unitsOf(local: Local, table: string): readonly number[] {
  return local.partitions(table).map(({ write: { consumedUnits } }) => consumedUnits)
}

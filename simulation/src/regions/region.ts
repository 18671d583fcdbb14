import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { ThrottlingException } from '@aws-sdk/client-dynamodb'
import { DrawnJourneys } from '../world/drawn-journeys.js'
import { type Answer, type EngineLane, engineLane } from '../world/engine-lane.js'
import type { Faults } from '../world/faults.js'
import { lightClient } from '../world/light-client.js'
import { type ExecutedRequest, Network } from '../world/network.js'
import type { Process } from '../world/process.js'
import type { Scheduler } from '../world/scheduler.js'
import { chanceFor } from '../world/seeds.js'
import { Trace } from '../world/trace.js'

/** A client makes so many attempts of a request. */
const MAX_ATTEMPTS = 3

/** So many writes of one stored key are accepted in a second. Replication is not limited. */
export const KEY_WRITES_PER_SECOND = 5

export interface RegionOptions {
  readonly name: string
  readonly seed: number
  readonly faults: Faults
  readonly scheduler: Scheduler
  readonly onExecuted: (region: Region, request: ExecutedRequest) => void
}

/** One region of a global table: an engine, the network before it, and a limit for each stored key. */
export class Region {
  readonly name: string
  readonly lane: EngineLane
  readonly #network: Network
  readonly #journeys: DrawnJourneys
  readonly #scheduler: Scheduler
  #second = 0
  #writes = new Map<string, number>()

  constructor({ name, seed, faults, scheduler, onExecuted }: RegionOptions) {
    this.name = name
    this.#scheduler = scheduler
    const clock = { now: () => scheduler.now(), sleep: (ms: number) => scheduler.sleep(ms) }
    this.lane = engineLane({ clock, random: chanceFor(seed, 1), metrics: false, throttle: false })
    this.#journeys = new DrawnJourneys(chanceFor(seed, 2), faults)
    this.#network = new Network(
      scheduler,
      { journeys: this.#journeys, trace: new Trace(() => scheduler.now(), false) },
      (operation, input) => this.#limited(operation, input),
      { onSent: () => {}, onExecuted: (request) => onExecuted(this, request) },
    )
  }

  /** A client of a process, which may be in another region. */
  clientOf(process: Process): DynamoDBClient {
    const deliver = (operation: string, input: object) => this.#network.send(process, operation, input)
    return lightClient({ clock: process.clock, random: process.retryRandom, deliver }, MAX_ATTEMPTS)
  }

  /** From now on nothing goes wrong. */
  calm(faults: Faults): void {
    this.#journeys.faults = faults
  }

  #limited(operation: string, input: object): Promise<Answer> {
    if (operation === 'PutItem' && this.#isFull(input)) return Promise.reject(keyRangeThrottle())
    return this.lane.execute(operation, input)
  }

  #isFull(input: object): boolean {
    const { TableName, Item } = input as { readonly TableName: string; readonly Item: Record<string, object> }
    if (TableName.endsWith('_shard_map')) return false
    const second = Math.floor(this.#scheduler.now() / 1_000)
    if (second !== this.#second) this.#writes = new Map()
    this.#second = second
    const key = JSON.stringify(Item.pk)
    const writes = (this.#writes.get(key) ?? 0) + 1
    this.#writes.set(key, writes)
    return writes > KEY_WRITES_PER_SECOND
  }
}

function keyRangeThrottle(): Error {
  const resource = 'arn:aws:dynamodb:us-east-1:000000000000:table/log'
  return new ThrottlingException({
    message: 'Throughput exceeds the current capacity of your table or index.',
    throttlingReasons: [{ reason: 'TableWriteKeyRangeThroughputExceeded', resource }],
    $metadata: { httpStatusCode: 400 },
  })
}

import { type TableShape, table } from '@isotherm/fixtures'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import type { PartitionEvent } from '../catalog/table-assembly.js'
import { Engine, type EngineParts } from '../engine/engine.js'
import { ServiceError } from '../errors/service-error.js'
import { MemoryStorage } from '../storage/memory-storage.js'

const REGION = 'eu-central-1'
export const TABLE = 'events'
export const TABLE_ARN = `arn:aws:dynamodb:${REGION}:000000000000:table/${TABLE}`
const TICKS_PER_SECOND = 100

/** An operation of the API and its input, without the table's name. */
export type Asked = readonly [operation: string, input: object]

/** A load on one table. */
export interface Load {
  readonly seconds: number
  readonly unitsPerSecond: number
  /** Units that one request costs. Larger requests make a test faster. */
  readonly unitsEach: number
  request(index: number): Asked
}

/** The result of a load. */
export interface Outcome {
  /** Units of admitted requests, by second. */
  readonly accepted: readonly number[]
  /** Throttled requests by exception, reason and resource. */
  readonly refusals: ReadonlyMap<string, number>
}

/** An engine on virtual time with one table, whose key is `pk` and `sk`. */
export class BehaviourBench {
  readonly clock = new VirtualClock(1_800_000_000_000)
  readonly random = new SeededRandom(5)
  readonly events: PartitionEvent[] = []
  readonly engine: Engine

  constructor(shape: TableShape = {}, parts: Partial<EngineParts> = {}) {
    this.engine = new Engine({
      storage: new MemoryStorage(),
      clock: this.clock,
      random: this.random,
      capacity: {},
      throttle: true,
      onPartitionEvent: (event) => this.events.push(event),
      stopwatch: this.clock,
      // Transactions that end at once do not require the clock to advance while they run.
      transactionMilliseconds: 0,
      ...parts,
    })
    this.ask('CreateTable', table(TABLE, ['pk', 'sk'], shape))
  }

  /** The response to a request, or a promise of it for batches and transactions. @throws ServiceError */
  // biome-ignore lint/suspicious/noExplicitAny: behaviours look into answers without declaring their shapes.
  ask(operation: string, input: object): any {
    return this.engine.execute(operation, { ...tableName(operation), ...input }, REGION)
  }

  /** The error of a request, or `undefined` when it succeeds. */
  failureOf(operation: string, input: object): ServiceError | undefined {
    try {
      this.ask(operation, input)
      return undefined
    } catch (error) {
      if (error instanceof ServiceError) return error
      throw error
    }
  }

  /** The error of a request that responds with a promise, or `undefined` when it succeeds. */
  async laterFailureOf(operation: string, input: object): Promise<ServiceError | undefined> {
    try {
      await this.ask(operation, input)
      return undefined
    } catch (error) {
      if (error instanceof ServiceError) return error
      throw error
    }
  }

  /** Sends a load, evenly distributed over its duration. */
  drive({ seconds, unitsPerSecond, unitsEach, request }: Load): Outcome {
    const accepted = new Array<number>(seconds).fill(0)
    const refusals = new Map<string, number>()
    const perTick = unitsPerSecond / unitsEach / TICKS_PER_SECOND
    let [due, index] = [0, 0]
    for (let tick = 0; tick < seconds * TICKS_PER_SECOND; tick++) {
      for (due += perTick; due >= 1; due--) {
        const failure = this.failureOf(...request(index++))
        const second = Math.floor(tick / TICKS_PER_SECOND)
        if (failure === undefined) accepted[second] = (accepted[second] ?? 0) + unitsEach
        else refusals.set(refusalText(failure), (refusals.get(refusalText(failure)) ?? 0) + 1)
      }
      this.clock.advance(1000 / TICKS_PER_SECOND)
    }
    return { accepted, refusals }
  }

  partitions(index?: string) {
    return this.engine.partitions(REGION, TABLE, index) ?? []
  }
}

/** The exception, reasons and resources of a throttled request. */
function refusalText(error: ServiceError): string {
  const reasons = error.members.ThrottlingReasons ?? error.members.throttlingReasons
  const told = Array.isArray(reasons) ? reasons.map(({ reason, resource }) => `${reason} ${resource}`) : []
  return [error.name, ...told].join(' ')
}

export function put(pk: string, sk: string, unitsEach = 1, more: object = {}): Asked {
  return ['PutItem', { Item: item(pk, sk, unitsEach * 1024, more) }]
}

export function get(pk: string, sk: string): Asked {
  return ['GetItem', { Key: { pk: { S: pk }, sk: { S: sk } }, ConsistentRead: true }]
}

/** An item of exactly this size, or the size of its key if that is larger. */
export function item(pk: string, sk: string, bytes: number, more: object = {}): object {
  const others = Object.entries(more).reduce(
    (sum, [name, value]) => sum + name.length + Object.values(value as object).join('').length,
    0,
  )
  const room = bytes - others - Buffer.byteLength(`pk${pk}sk${sk}filler`)
  const filler = room > 0 ? { filler: { S: text(room) } } : {}
  return { pk: { S: pk }, sk: { S: sk }, ...more, ...filler }
}

const texts = new Map<number, string>()

/** Cached by length, and built in one piece: a concatenated string would have to be flattened for every request. */
function text(length: number): string {
  const made = texts.get(length) ?? Buffer.alloc(length, 'x').toString('latin1')
  texts.set(length, made)
  return made
}

/** Sort keys that only increase. */
export function growing(index: number): string {
  return String(index).padStart(9, '0')
}

/** Evenly distributed partition keys, in no particular order. */
export function anyKey(index: number): string {
  return `key-${(index * 7919) % 100_003}`
}

export function provisioned(read: number, write: number) {
  return {
    BillingMode: 'PROVISIONED' as const,
    ProvisionedThroughput: { ReadCapacityUnits: read, WriteCapacityUnits: write },
  }
}

/** The average from a second on. By default it excludes the seconds in which saved capacity is spent. */
export function average({ accepted }: Outcome, from = 5, to = accepted.length): number {
  const seconds = accepted.slice(from, to)
  return seconds.reduce((sum, units) => sum + units, 0) / seconds.length
}

function tableName(operation: string): object {
  return /^(Batch|Transact|DescribeLimits|ListTables)/.test(operation) ? {} : { TableName: TABLE }
}

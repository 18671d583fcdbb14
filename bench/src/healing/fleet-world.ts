import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SPENT_INDEXES } from '@isotherm/local'
import { type Random, SeededRandom, VirtualClock } from '@isotherm/runtime'
import { type EngineLane, engineLane, lightClient } from '@isotherm/simulation/world'
import type { Shape } from './shape.js'

export const TABLE = 'hot'
export const SHARD_MAP = `${TABLE}_shard_map`
export const KEY = 'k'

/** As within one region. */
const LATENCY_MILLISECONDS = { from: 2, to: 8 }

/** As the SDK's default. */
const SDK_ATTEMPTS = 3

/** Requests of all processes that the service has answered or refused. */
export type OnAnswered = (operation: string, input: object, error: unknown) => void

/** The service, on virtual time, and clients that reach it over a network with delays. */
export class FleetWorld {
  readonly clock = new VirtualClock()
  readonly #lane: EngineLane
  readonly #random: Random
  readonly #onAnswered: OnAnswered
  readonly #isWithoutReasons: boolean

  /** Indexes have spent what they saved, as after a long load. */
  constructor(
    seed: number,
    { isWithoutReasons = false }: Pick<Shape, 'isWithoutReasons'>,
    onAnswered: OnAnswered,
  ) {
    this.#isWithoutReasons = isWithoutReasons
    this.#random = new SeededRandom(seed)
    this.#lane = engineLane({ ...SPENT_INDEXES, clock: this.clock, random: new SeededRandom(seed + 1) })
    this.#onAnswered = onAnswered
  }

  /** A client of one process. */
  client(random: Random): DynamoDBClient {
    const { clock } = this
    const half = () => clock.sleep(this.#latency() / 2)
    const deliver = async (operation: string, input: object) => {
      await half()
      try {
        const answer = await this.#lane.execute(operation, input)
        this.#onAnswered(operation, input, undefined)
        await half()
        return answer
      } catch (error) {
        this.#onAnswered(operation, input, error)
        if (this.#isWithoutReasons) removeReasons(error)
        await half()
        throw error
      }
    }
    return lightClient({ clock, random, deliver }, SDK_ATTEMPTS)
  }

  /** Creates the table of a shape, its shard map, and the items that it begins with. */
  async create({ table, adopted = 0, itemBytes }: Shape): Promise<void> {
    const { execute } = this.#lane
    const capacity =
      table.billing === 'provisioned'
        ? {
            BillingMode: 'PROVISIONED',
            ProvisionedThroughput: {
              ReadCapacityUnits: table.readUnits ?? table.writeUnits,
              WriteCapacityUnits: table.writeUnits,
            },
          }
        : { BillingMode: 'PAY_PER_REQUEST', ...warmth(table.warmUnits) }
    const pk = { AttributeName: 'pk', AttributeType: 'S' }
    const hash = { AttributeName: 'pk', KeyType: 'HASH' }
    await execute('CreateTable', {
      TableName: TABLE,
      KeySchema: [hash, { AttributeName: 'sk', KeyType: 'RANGE' }],
      AttributeDefinitions: [pk, { AttributeName: 'sk', AttributeType: 'S' }],
      ...capacity,
    })
    await execute('CreateTable', {
      TableName: SHARD_MAP,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [hash],
      AttributeDefinitions: [pk],
    })
    for (let at = 0; at < adopted; at++) {
      await this.#untilTaken('PutItem', { TableName: TABLE, Item: itemAt(at, itemBytes) })
    }
  }

  async close(): Promise<void> {
    await this.#lane.local.close()
  }

  async #untilTaken(operation: string, input: object): Promise<void> {
    for (;;) {
      try {
        await this.#lane.execute(operation, input)
        return
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'ProvisionedThroughputExceededException') throw error
        await this.clock.sleep(100)
      }
    }
  }

  #latency(): number {
    const { from, to } = LATENCY_MILLISECONDS
    return from + this.#random.next() * (to - from)
  }
}

/** As older services and other engines answer. */
function removeReasons(error: unknown): void {
  for (const member of ['ThrottlingReasons', 'throttlingReasons'])
    Reflect.deleteProperty(Object(error), member)
}

/** The item with a number, of about `itemBytes`. */
export function itemAt(
  at: number,
  itemBytes: number,
  key = KEY,
): Record<'pk' | 'sk' | 'text', AttributeValue> {
  const own = { pk: { S: key }, sk: { S: String(at).padStart(12, '0') } }
  return { ...own, text: textOf(Math.max(1, itemBytes - ROOM_FOR_THE_REST)) }
}

const texts = new Map<number, AttributeValue.SMember>()

/** One text for all items of a size: a run keeps gigabytes of them. */
function textOf(bytes: number): AttributeValue.SMember {
  const known = texts.get(bytes)
  if (known !== undefined) return known
  const made = { S: 'x'.repeat(bytes) }
  texts.set(bytes, made)
  return made
}

/** Keys with a suffix, names, and the mark of a call. */
const ROOM_FOR_THE_REST = 64

function warmth(units: number | undefined): object {
  return units === undefined
    ? {}
    : { WarmThroughput: { ReadUnitsPerSecond: units, WriteUnitsPerSecond: units } }
}

import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb'
import type { VirtualClock } from '@isotherm/runtime'

export const TABLE = 'behaviour'
const TICKS_PER_SECOND = 20
const BYTES_PER_UNIT = 1024
/** The bytes of the key and of the attribute names in an item. */
const BYTES_BESIDES = 64

/** A load of writes on one table. */
export interface BehaviourLoad {
  /** Offered units a second, second by second. */
  readonly offered: readonly number[]
  /** Units of one item; larger ones make a run faster. */
  readonly unitsEach: number
  /** Items of a call; more than one are sent as a batch. */
  readonly itemsEach?: number
  item(index: number): WriteItem
}

interface WriteItem {
  readonly pk: string
  readonly sk: string
  readonly status?: string
}

/**
 * Offers the load, spread evenly within each second.
 * @returns accepted units by second; `onSecond` is called at the end of each.
 */
export async function offer(
  client: DynamoDBClient,
  clock: VirtualClock,
  { offered, unitsEach, itemsEach = 1, item }: BehaviourLoad,
  onSecond: () => void,
): Promise<readonly number[]> {
  const accepted: number[] = []
  let [due, index] = [0, 0]
  for (const unitsPerSecond of offered) {
    let units = 0
    for (let tick = 0; tick < TICKS_PER_SECOND; tick++) {
      for (
        due += unitsPerSecond / TICKS_PER_SECOND;
        due >= unitsEach * itemsEach;
        due -= unitsEach * itemsEach
      ) {
        const items = Array.from({ length: itemsEach }, () => attributesOf(item(index++), unitsEach))
        units += (await write(client, items)) * unitsEach
      }
      clock.advance(1000 / TICKS_PER_SECOND)
    }
    accepted.push(units)
    onSecond()
  }
  return accepted
}

/** @returns how many of the items were accepted. */
async function write(client: DynamoDBClient, items: readonly Item[]): Promise<number> {
  const [only] = items
  try {
    if (items.length === 1) {
      await client.send(new PutItemCommand({ TableName: TABLE, Item: only }))
      return 1
    }
    const requests = items.map((Item): WriteRequest => ({ PutRequest: { Item } }))
    const { UnprocessedItems } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [TABLE]: requests } }),
    )
    return items.length - (UnprocessedItems?.[TABLE]?.length ?? 0)
  } catch (error) {
    if (error instanceof Error && THROTTLES.has(error.name)) return 0
    throw error
  }
}

const THROTTLES = new Set(['ThrottlingException', 'ProvisionedThroughputExceededException'])

type Item = Record<string, { S: string }>

function attributesOf({ pk, sk, status }: WriteItem, units: number): Item {
  return {
    pk: { S: pk },
    sk: { S: sk },
    ...(status === undefined ? {} : { status: { S: status } }),
    filler: { S: filler(units) },
  }
}

const fillers = new Map<number, string>()

function filler(units: number): string {
  const made = fillers.get(units) ?? 'x'.repeat(units * BYTES_PER_UNIT - BYTES_BESIDES)
  fillers.set(units, made)
  return made
}

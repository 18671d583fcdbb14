import { paginateQuery } from '@aws-sdk/client-dynamodb'
import { SystemClock } from '@isotherm/runtime'
import type { KeyShardsState } from 'isotherm'
import { growthText, moveBoundText, priceText } from '../presentation/shards-report.js'
import { type KeyFlags, neverWritten, type PricedKey } from './shards-session.js'

/** What a change of a key's count costs: a line of JSON, and the same as sentences. */
export interface ChangePrice {
  readonly json: object
  readonly text: string
}

/** The rate of `drain` without `--rate`. */
const UNITS_PER_SECOND = 100
const READ_UNIT_BYTES = 8_192
const WRITE_UNIT_BYTES = 1_024
/** A move marks an item, then puts and deletes it in one transaction, which costs twice. */
const WRITES_PER_MOVE = 5

/** Whether a calculated suffix is between two counts. Then the library has no price, because it cannot begin another change. */
export function isBetweenCounts({ phase }: KeyShardsState): boolean {
  return phase === 'announced' || phase === 'moved' || phase === 'draining'
}

/**
 * The price of fewer shards, or of what is left of the last change.
 * @throws IsothermError `shards.changing` if the count is changing, so that it cannot be changed to another one
 */
export async function shrinkPriceOf(flags: KeyFlags, key: PricedKey, to: number): Promise<ChangePrice> {
  const { rate } = flags
  const price = await key.shards.price(to, {
    signal: key.signal,
    ...(rate === undefined ? {} : { unitsPerSecond: rate }),
  })
  if (price === undefined) throw neverWritten(flags)
  return { json: price, text: priceText(flags.key, price) }
}

/** The price of more shards. New shards of a random suffix are empty, and no item moves to them. */
export async function growthPriceOf(
  flags: KeyFlags,
  key: PricedKey,
  from: number | undefined,
  to: number,
): Promise<ChangePrice> {
  if (key.options.suffix === 'random') {
    return { json: { from, to, items: 0 }, text: growthText(flags.key, from, to) }
  }
  return moveBoundOf(flags, key, from, to)
}

/**
 * What a change of a calculated suffix costs at most: if each item of the key moves. It reads all of them. The library's own price is for
 * fewer shards, and for a key whose count is not changing.
 */
export async function moveBoundOf(
  { table, key, rate = UNITS_PER_SECOND }: KeyFlags,
  { db, options, signal }: PricedKey,
  from: number | undefined,
  to: number,
): Promise<ChangePrice> {
  const clock = new SystemClock()
  let [itemsAtMost, writeUnitsAtMost] = [0, 0]
  const query = {
    TableName: table,
    KeyConditionExpression: '#key = :key',
    ExpressionAttributeNames: { '#key': options.partitionKey },
    ExpressionAttributeValues: { ':key': { S: key } },
    Select: 'COUNT',
    ReturnConsumedCapacity: 'TOTAL',
  } as const
  for await (const { Count = 0, ConsumedCapacity } of paginateQuery({ client: db }, query, {
    abortSignal: signal,
  })) {
    const readUnits = ConsumedCapacity?.CapacityUnits ?? 0
    const itemBytes = (readUnits * READ_UNIT_BYTES) / Math.max(1, Count)
    itemsAtMost += Count
    writeUnitsAtMost += Count * WRITES_PER_MOVE * Math.ceil(itemBytes / WRITE_UNIT_BYTES)
    await clock.sleep((readUnits / rate) * 1_000, signal)
  }
  const price = { from, to, itemsAtMost, writeUnitsAtMost, secondsAtMost: Math.ceil(writeUnitsAtMost / rate) }
  return { json: price, text: moveBoundText(key, price) }
}

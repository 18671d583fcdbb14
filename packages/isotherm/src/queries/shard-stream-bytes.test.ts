import { describe, expect, it } from 'vitest'
import { type OpenedStream, openedStream, storedItem } from '../../test/opened-stream.js'

const UNIT = 4_096

/** The bytes of `pk`, `k_1`, `at`, a number of one digit, and `t`. */
const KEY_BYTES = 2 + 3 + 2 + 2 + 1

const itemOf = (at: number, bytes: number) => storedItem(1, at, { t: { S: 'x'.repeat(bytes - KEY_BYTES) } })

const itemsOf = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, index) => itemOf(1 + index, bytes))

const capacity = (CapacityUnits: number) => ({ ConsumedCapacity: { TableName: 'log', CapacityUnits } })

const FILTERED = { FilterExpression: 't = :x', ExpressionAttributeValues: { ':x': { S: 'x' } } }

const PROJECTED = { ProjectionExpression: 'pk' }

/** The bytes that a request seems to have evaluated, of a table whose items seem to have `mean` bytes. */
async function bytesOf(more: OpenedStream, mean?: number): Promise<number> {
  const { stream, table } = openedStream(more)
  if (mean !== undefined) table.meanItemBytes.observe(mean, 1)
  const { evaluatedBytes } = await stream.fetch(undefined, undefined)
  return evaluatedBytes
}

describe('the bytes that a request to a shard has evaluated', () => {
  it('are those of its items, if all of them are returned whole', async () => {
    expect(await bytesOf({ answers: [{ Items: itemsOf(3, 500), ScannedCount: 3, ...capacity(9) }] })).toBe(
      1_500,
    )
    expect(await bytesOf({ answers: [{ Items: itemsOf(3, 500) }] })).toBe(1_500)
  })

  it.each([
    ['with a filter', FILTERED],
    ['with a projection', PROJECTED],
  ])('are estimated by the mean size where the database reports no capacity: %s', async (_what, input) => {
    expect(await bytesOf({ input, answers: [{ Items: [], ScannedCount: 6 }] }, 300)).toBe(1_800)
  })

  it('are estimated by the items that passed a filter, if the units pay for as much', async () => {
    const answers = [{ Items: itemsOf(2, 500), ScannedCount: 10, ...capacity(1) }]
    // 5,000 bytes are two units of 4 KB, each half a unit for an eventually consistent read.
    expect(await bytesOf({ input: FILTERED, answers }, 300)).toBe(5_000)
  })

  it('are estimated by the mean size, if nothing passed a filter and the units pay for as much', async () => {
    const answers = [{ Items: [], ScannedCount: 20, ...capacity(1) }]
    expect(await bytesOf({ input: FILTERED, answers }, 300)).toBe(6_000)
    expect(await bytesOf({ input: PROJECTED, answers }, 300)).toBe(6_000)
  })

  it('are in the middle of what the units pay for, if other estimates are below or above', async () => {
    const answers = [{ Items: [], ScannedCount: 20, ...capacity(1) }]
    expect(await bytesOf({ input: FILTERED, answers }, 100)).toBe(1.5 * UNIT)
    expect(await bytesOf({ input: FILTERED, answers }, 900)).toBe(1.5 * UNIT)
  })

  it('are more than the units less one pay for', async () => {
    const answers = [{ Items: [], ScannedCount: 4, ...capacity(1) }]
    expect(await bytesOf({ input: FILTERED, answers }, UNIT / 4)).toBe(1.5 * UNIT)
  })

  it('may be all that the units pay for', async () => {
    const answers = [{ Items: itemsOf(2, UNIT / 4), ScannedCount: 8, ...capacity(1) }]
    expect(await bytesOf({ input: FILTERED, answers }, 300)).toBe(2 * UNIT)
  })

  it('take a whole unit for 4 KB if the read is consistent', async () => {
    const answers = [{ Items: [], ScannedCount: 20, ...capacity(2) }]
    expect(await bytesOf({ input: { ...FILTERED, ConsistentRead: true }, answers }, 300)).toBe(6_000)
    expect(await bytesOf({ input: FILTERED, stage: 1, answers }, 300)).toBe(6_000)
  })
})

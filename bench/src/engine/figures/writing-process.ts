import { SystemClock } from '@isotherm/runtime'
import { LmdbStorage } from '../engine-parts.js'
import { ITEMS } from '../measured-operations.js'
import { Tally } from '../measurement.js'
import { benchEngine, REGION } from './bench-engine.js'
import { WRITTEN_TABLE, writtenItem, writtenKey } from './written-items.js'

/** What the process reports before it is killed. */
export interface WriterReport {
  readonly small: TailMilliseconds
  readonly large: TailMilliseconds
}

/** 99 of 100 requests took fewer milliseconds. */
interface TailMilliseconds {
  readonly get: number
  readonly put: number
}

const BATCH = 25
/** Batches in flight, which share commits. */
const WRITERS = 64
/**
 * With eight in flight, a pause of the collector delays eight. Of 2,000 gets, which take a tenth of a second, three pauses were the
 * slowest 1 %, and the table had no part in it.
 */
const GETS = 20_000
const PUTS = 4_000
const PROBERS = 8

const TableName = WRITTEN_TABLE

// Without its parent it would never stop writing.
process.on('disconnect', () => process.exit())
await write(process.argv[2] ?? '', Number(process.argv[3]))

async function write(data: string, allItems: number): Promise<void> {
  const engine = await benchEngine(new LmdbStorage(data))
  const clock = new SystemClock()
  let next = 0
  const writeUpTo = (items: number) =>
    inTurns(WRITERS, async () => {
      if (next >= items) return false
      const from = next
      next += BATCH
      const requests = Array.from({ length: BATCH }, (_, at) => ({
        PutRequest: { Item: writtenItem(from + at) },
      }))
      await engine.execute('BatchWriteItem', { RequestItems: { [TableName]: requests } }, REGION)
      return true
    })
  const probe = async (
    operation: string,
    probes: number,
    input: (number: number) => object,
  ): Promise<number> => {
    const tally = new Tally()
    let probed = 0
    await inTurns(PROBERS, async () => {
      if (probed >= probes) return false
      // Keys of all the table, and not the latest ones.
      const number = (probed++ * 7_919) % next
      const began = clock.now()
      await engine.execute(operation, { TableName, ...input(number) }, REGION)
      tally.add(clock.now() - began)
      return true
    })
    return tally.percentile(0.99)
  }
  const probes = async () => ({
    get: await probe('GetItem', GETS, (number) => ({ Key: writtenKey(number) })),
    put: await probe('PutItem', PUTS, (number) => ({ Item: writtenItem(number) })),
  })
  await writeUpTo(ITEMS / 100)
  await probes()
  const small = await probes()
  await writeUpTo(allItems)
  const large = await probes()
  const report: WriterReport = { small, large }
  process.send?.(report)
  // It is killed while it writes.
  await writeUpTo(Number.POSITIVE_INFINITY)
}

async function inTurns(workers: number, step: () => Promise<boolean>): Promise<void> {
  const work = async () => {
    while (await step());
  }
  await Promise.all(Array.from({ length: workers }, work))
}

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GetItemCommand } from '@aws-sdk/client-dynamodb'
import { createLocal } from '@isotherm/local'
import { SystemClock } from '@isotherm/runtime'
import { whole } from '../engine-figures.js'
import { messageOf } from '../message-of.js'
import { ownMegabytes, residentMegabytes } from '../processor-time.js'
import type { Figure } from './figure.js'
import type { WriterReport } from './writing-process.js'
import { WRITTEN_TABLE, writtenKey } from './written-items.js'

const GIGABYTE = 1_000_000_000
const MOST_MILLISECONDS = 1_000
const MOST_TAIL_FACTOR = 1.5

/** A directory of more than a gigabyte. */
const ITEMS_OF_A_GIGABYTE = 700_000

/** A data directory of a gigabyte. */
export function recovery(): Promise<readonly Figure[]> {
  return largeTable(ITEMS_OF_A_GIGABYTE)
}

/**
 * A data directory with so many items of 1 KB, written by a process that is killed while it writes. Then the directory is opened. On the
 * way, the process compares its gets and puts with those of the table when it was small.
 */
export async function largeTable(items: number): Promise<readonly Figure[]> {
  const data = mkdtempSync(join(tmpdir(), 'isotherm-bench-'))
  try {
    const { small, large, resident, own } = await written(data, items)
    const bytes = bytesIn(data)
    const milliseconds = await opened(data)
    const size = `${(bytes / GIGABYTE).toFixed(1)} GB, ${whole(items)} items of 1 KB`
    const factor = large.get / small.get
    return [
      {
        name: `From \`createLocal({ data })\` to the first item, after \`kill -9\` (${size})`,
        measured: `${milliseconds.toFixed(0)} ms`,
        aim: { text: `under ${whole(MOST_MILLISECONDS)} ms`, isMet: milliseconds < MOST_MILLISECONDS },
      },
      {
        name: 'Durable gets, 99 of 100 faster than: of the small table, of the large one',
        measured: `${small.get.toFixed(3)} ms, ${large.get.toFixed(3)} ms`,
        aim: { text: `within ${MOST_TAIL_FACTOR} times`, isMet: factor <= MOST_TAIL_FACTOR },
      },
      {
        name: 'Durable puts, 99 of 100 faster than: of the small table, of the large one',
        measured: `${small.put.toFixed(1)} ms, ${large.put.toFixed(1)} ms`,
        aim: { text: `within ${MOST_TAIL_FACTOR} times`, isMet: large.put / small.put <= MOST_TAIL_FACTOR },
      },
      {
        name: 'Memory of the process that wrote them: its own, and with mapped pages of the file',
        measured: `${megabytesText(own)}, ${megabytesText(resident)}`,
      },
    ]
  } finally {
    rmSync(data, { recursive: true })
  }
}

function megabytesText(megabytes: number | undefined): string {
  return megabytes === undefined ? '-' : `${whole(megabytes)} MB`
}

/** What is known of a process that was killed while it wrote. */
interface Written extends WriterReport {
  readonly resident: number | undefined
  readonly own: number | undefined
}

/** Lets a process write until it reports, and kills it while it still writes. */
async function written(data: string, items: number): Promise<Written> {
  const writer = fork(fileURLToPath(new URL('./writing-process.js', import.meta.url)), [data, String(items)])
  const report = await messageOf<WriterReport>(writer)
  const [resident, own] = [residentMegabytes, ownMegabytes].map((megabytes) => megabytes(writer.pid ?? 0))
  const ended = once(writer, 'exit')
  writer.kill('SIGKILL')
  await ended
  return { ...report, resident, own }
}

async function opened(data: string): Promise<number> {
  const clock = new SystemClock()
  const from = clock.now()
  const local = createLocal({ data })
  const { Item } = await local
    .client()
    .send(new GetItemCommand({ TableName: WRITTEN_TABLE, Key: writtenKey(0) }))
  const milliseconds = clock.now() - from
  if (Item === undefined) throw new Error('An item that was written is not in the directory.')
  await local.close()
  return milliseconds
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, { blocks }) => sum + blocks * 512, 0)
}

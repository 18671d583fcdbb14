import type { HeatKeyspace, PartitionReport } from '@isotherm/local'
import type { ConsolePartition, PartitionList } from '../api/partitions.js'
import type { ConsoleSource } from '../source/console-source.js'

export async function partitionList(source: ConsoleSource, keyspace: HeatKeyspace): Promise<PartitionList> {
  const partitions = (await source.partitions(keyspace)).map(consolePartition)
  return { version: 1, now: source.now(), limit: source.limit, partitions }
}

function consolePartition({ id, from, to, bytes, read, write }: PartitionReport): ConsolePartition {
  const range = { from: shareOf(from), to: to === undefined ? 1 : shareOf(to) }
  return { id, ...range, ...(bytes === undefined ? {} : { bytes }), write, read }
}

/** The first four bytes say enough for a picture. */
const DIGITS = 8

/** The place of a border among all hashes. */
function shareOf(border: string): number {
  return Number.parseInt(border.slice(0, DIGITS).padEnd(DIGITS, '0'), 16) / 16 ** DIGITS
}

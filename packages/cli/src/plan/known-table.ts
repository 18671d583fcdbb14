import { ItemSample, type PlanInput, partitionCounts, type TableDefinition } from '@isotherm/advisor'
import { SystemClock } from '@isotherm/runtime'
import { cloudWatchOf } from '../cloud-watch-connection.js'
import { CommandError, EXIT_FAILED } from '../command-error.js'
import { type ConsumedUnits, consumedUnits } from '../consumed-units.js'
import { connectTo } from '../endpoint-client.js'
import { interruption } from '../interruption.js'
import { liveTable } from '../live-table.js'
import { sampledItems } from '../sampled-items.js'
import type { Terminal } from '../terminal.js'

interface KnownTableOptions {
  readonly table: string
  readonly endpoint?: URL
  readonly region?: string
  readonly profile?: string
  readonly hours: number
  readonly sample: number
  readonly page: number
}

const MILLISECONDS_PER_HOUR = 3_600_000
const GIB = 1024 ** 3
const MAX_KEYS = 5

/** What a live table says for a plan: its definition, a sample of its items, and its consumption in CloudWatch. */
export async function knownOfTable(
  { table: name, endpoint, region, profile, hours, sample: items, page }: KnownTableOptions,
  terminal: Terminal,
): Promise<{ readonly input: Partial<PlanInput>; readonly notes: readonly string[] }> {
  const client = connectTo(endpoint, region, profile === undefined ? {} : { profile })
  const signal = interruption()
  try {
    const table = await liveTable(client, name, signal)
    // Metrics first: the sample consumes reads, too.
    const to = new Date(new SystemClock().now())
    const cloudWatch = await cloudWatchOf(client, endpoint)
    const consumed = await consumedUnits(cloudWatch, {
      // A flag may have the ARN, which CloudWatch does not know.
      table: table.name,
      from: new Date(to.getTime() - hours * MILLISECONDS_PER_HOUR),
      to,
      signal,
    }).catch((cause: unknown) => {
      signal.throwIfAborted()
      const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
      throw new CommandError(`The metrics of ${name} cannot be read: ${reason}`, EXIT_FAILED, { cause })
    })
    cloudWatch.destroy()
    if (consumed.minutes === 0) {
      throw new CommandError(
        `CloudWatch has no figures of ${name} in the last ${hours} hours; give --writes and --hot-writes, or more --hours.`,
        EXIT_FAILED,
      )
    }
    const sample = new ItemSample(
      table,
      items === 0 ? [] : await sampledItems(client, name, items, signal, terminal),
    )
    return { input: inputOf(table, sample, consumed, page), notes: notesOf(sample, consumed, hours) }
  } finally {
    client.destroy()
  }
}

function inputOf(
  table: TableDefinition,
  sample: ItemSample,
  { peakWrites, peakReads, meanWrites, meanReads }: ConsumedUnits,
  page: number,
): Partial<PlanInput> {
  const [partition, sort] = [table.key.partition[0], table.key.sort[0]]
  const itemBytes = Math.max(1, Math.round(sample.meanItemBytes || 1_024))
  // CloudWatch has units; a plan counts requests, and multiplies them again.
  const perWrite = Math.max(1, Math.ceil(itemBytes / 1_024))
  const perRead = Math.max(1, Math.ceil((itemBytes * page) / 4_096)) * 0.5
  const shares = partition === undefined ? [] : sample.mostFrequent(partition.name, MAX_KEYS)
  const keys = shares.map(({ value, items }) => {
    const share = items / sample.items
    const key = 'S' in value ? value.S : 'N' in value ? value.N : undefined
    return {
      ...(key === undefined ? {} : { key }),
      writesPerSecond: (peakWrites / perWrite) * share,
      readsPerSecond: (peakReads / perRead) * share,
    }
  })
  const sum = (member: 'writesPerSecond' | 'readsPerSecond') =>
    keys.reduce((total, key) => total + key[member], 0)
  // The size of the description is hours old: 0 for a table that is new.
  const storedGb = Math.max(table.sizeBytes ?? 0, sample.bytes) / GIB
  const warm = table.warmThroughput ?? {}
  return {
    table: table.name,
    ...(partition === undefined ? {} : { partitionKey: partition.name }),
    ...(partition?.type === undefined ? {} : { partitionKeyType: partition.type }),
    ...(sort === undefined ? {} : { sortKey: sort.name }),
    itemBytes,
    storedGb,
    keys,
    otherWritesPerSecond: Math.max(0, peakWrites / perWrite - sum('writesPerSecond')),
    otherReadsPerSecond: Math.max(0, peakReads / perRead - sum('readsPerSecond')),
    meanWritesPerSecond: meanWrites / perWrite,
    meanReadsPerSecond: meanReads / perRead,
    hasLocalIndex: table.indexes.some(({ kind }) => kind === 'local'),
    ...(table.billing.mode === 'PROVISIONED' && table.billing.throughput.writeUnits !== undefined
      ? { provisionedWriteUnits: table.billing.throughput.writeUnits }
      : {}),
    ...(warm.writeUnits === undefined
      ? {}
      : {
          partitions: partitionCounts({
            writeUnits: warm.writeUnits,
            readUnits: warm.readUnits ?? 0,
            storedGb,
          }).needed,
        }),
  }
}

function notesOf(sample: ItemSample, { minutes }: ConsumedUnits, hours: number): readonly string[] {
  return [
    `Peaks are the busiest of ${minutes} minutes in the last ${hours} hours; shorter peaks vanish in a minute.`,
    `Shares of keys are those among ${sample.items.toLocaleString('en-US')} sampled items. isotherm hot shows the traffic of now; --hot-writes replaces the share.`,
    'Partitions are those of the warm throughput.',
  ]
}

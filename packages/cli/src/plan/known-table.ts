import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch'
import { ItemSample, type PlanInput, partitionCounts, type TableDefinition } from '@isotherm/advisor'
import { cloudWatchClientOf } from '@isotherm/proxy/upstream'
import { SystemClock } from '@isotherm/runtime'
import { CommandError, EXIT_FAILED } from '../command-error.js'
import { type ConsumedUnits, type ConsumptionQuery, consumedUnits } from '../consumed-units.js'
import { connectTo } from '../endpoint-client.js'
import { endpointFailure } from '../endpoint-failure.js'
import { interruption } from '../interruption.js'
import { liveTable } from '../live-table.js'
import { sampledItems } from '../sampled-items.js'
import type { Terminal } from '../terminal.js'

interface KnownTableOptions {
  readonly table: string
  readonly endpoint?: URL
  readonly region?: string
  readonly profile?: string
  readonly hours?: number
  readonly sample?: number
  readonly page: number
  /** Whether flags say how much traffic there is, so that nothing has to be measured. */
  readonly hasRates: boolean
}

const DEFAULT_HOURS = 24
const DEFAULT_SAMPLE = 1_000
const MILLISECONDS_PER_HOUR = 3_600_000
const GIB = 1024 ** 3
const MAX_KEYS = 5

/** What a live table says for a plan: its definition, a sample of its items, and its consumption in CloudWatch. */
export async function knownOfTable(
  {
    table: name,
    endpoint,
    region,
    profile,
    hours = DEFAULT_HOURS,
    sample: items = DEFAULT_SAMPLE,
    page,
    hasRates,
  }: KnownTableOptions,
  terminal: Terminal,
): Promise<{ readonly input: Partial<PlanInput>; readonly notes: readonly string[] }> {
  const client = connectTo(endpoint, region, profile === undefined ? {} : { profile })
  const signal = interruption()
  try {
    const table = await liveTable(client, name, signal)
    // Metrics first: the sample consumes reads, too.
    const to = new Date(new SystemClock().now())
    const cloudWatch = await cloudWatchClientOf(client)
    const consumed = await measured(cloudWatch, {
      // A flag may have the ARN, which CloudWatch does not know.
      table: table.name,
      from: new Date(to.getTime() - hours * MILLISECONDS_PER_HOUR),
      to,
      signal,
    }).finally(() => cloudWatch.destroy())
    if (!consumed.isMeasured && !hasRates) throw withoutRates(consumed)
    const sample = new ItemSample(
      table,
      items === 0 ? [] : await sampledItems(client, name, items, signal, terminal),
    )
    return {
      input: inputOf(table, sample, consumed, page),
      notes: notesOf(sample, consumed, hours),
    }
  } finally {
    client.destroy()
  }
}

/** What CloudWatch has measured, or why it has nothing. */
type Consumption = ({ readonly isMeasured: true } & ConsumedUnits) | Unmeasured

interface Unmeasured {
  readonly isMeasured: false
  /** A sentence. */
  readonly reason: string
  /** What to do instead, if the traffic has to be known. */
  readonly cure: string
  /** The error of a request. There is none where CloudWatch answers that it has no figures. */
  readonly cause?: unknown
}

async function measured(cloudWatch: CloudWatchClient, query: ConsumptionQuery): Promise<Consumption> {
  const { table, from, to, signal } = query
  try {
    const units = await consumedUnits(cloudWatch, query)
    if (units.minutes > 0) return { isMeasured: true, ...units }
  } catch (cause) {
    signal.throwIfAborted()
    const { message: reason } = endpointFailure(`The metrics of ${table} cannot be read`, cause)
    return { isMeasured: false, reason, cure: 'Give --writes and --hot-writes instead.', cause }
  }
  const hours = (to.getTime() - from.getTime()) / MILLISECONDS_PER_HOUR
  return {
    isMeasured: false,
    reason: `CloudWatch has no figures of ${table} in the last ${hours} hours.`,
    cure: 'Give --writes and --hot-writes, or more --hours.',
  }
}

function withoutRates({ reason, cure, cause }: Unmeasured): CommandError {
  return new CommandError(`${reason} ${cure}`, EXIT_FAILED, { cause })
}

function inputOf(
  table: TableDefinition,
  sample: ItemSample,
  consumed: Consumption,
  page: number,
): Partial<PlanInput> {
  const { isMeasured } = consumed
  const { peakWrites, peakReads, meanWrites, meanReads } = consumed.isMeasured ? consumed : NOTHING
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
    // Without a sort key, each partition key has one item.
    ...(sort === undefined ? { order: 'single-item' as const } : { sortKey: sort.name }),
    ...(sample.items === 0 ? {} : { itemBytes }),
    storedGb,
    keys,
    otherWritesPerSecond: Math.max(0, peakWrites / perWrite - sum('writesPerSecond')),
    otherReadsPerSecond: Math.max(0, peakReads / perRead - sum('readsPerSecond')),
    // Without them, the price is that of the rates in the flags.
    ...(isMeasured
      ? { meanWritesPerSecond: meanWrites / perWrite, meanReadsPerSecond: meanReads / perRead }
      : {}),
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

const NOTHING = { peakWrites: 0, peakReads: 0, meanWrites: 0, meanReads: 0 }

function notesOf(sample: ItemSample, consumed: Consumption, hours: number): readonly string[] {
  return [
    ...(consumed.isMeasured ? notesOfFigures(consumed, hours) : [consumed.reason]),
    sample.items === 0
      ? 'No items were sampled, so no key is known. Measure the hottest key with isotherm hot, and give --hot-writes.'
      : `Shares of keys are those among ${sample.items.toLocaleString('en-US')} sampled items, which can miss a key with many items, and overstate a key with few. Measure the hottest key with isotherm hot, and give --hot-writes.`,
    'Partitions are those of the warm throughput.',
  ]
}

function notesOfFigures(
  { minutes, keyRangeThrottles: throttles }: ConsumedUnits,
  hours: number,
): readonly string[] {
  return [
    ...(throttles === 0
      ? []
      : [
          `Partitions throttled ${throttles.toLocaleString('en-US')} requests in these hours, so a key is hot, or was. Find it with isotherm hot, and give --hot-writes.`,
        ]),
    `Peaks are the busiest of ${minutes} minutes in the last ${hours} hours; shorter peaks vanish in a minute.`,
  ]
}

import { type PlanInput, readLog, readTrace, type TraceTraffic, type TrafficProfile } from '@isotherm/advisor'
import { CommandError } from '../command-error.js'
import { readText } from '../read-text.js'
import type { Terminal } from '../terminal.js'
import type { PlanFlags } from './plan-flags.js'

/** Under this mean distance of requests, seconds say something. */
const WINDOW_OF_LOGS = 60

/** What is known before the flags, and where it comes from. */
export interface Known {
  readonly input: Partial<PlanInput>
  readonly notes: readonly string[]
}

/** What a log, a trace or a table says. */
export async function knownFrom(flags: PlanFlags, terminal: Terminal): Promise<Known> {
  const { from, table, endpoint, writes, hotWrites } = flags
  if (from !== undefined) return fromFile(from, flags)
  const isLive =
    table !== undefined &&
    (endpoint !== undefined ||
      flags.region !== undefined ||
      flags.profile !== undefined ||
      (writes === undefined && hotWrites === undefined))
  if (!isLive) {
    for (const flag of ['hours', 'sample'] as const) {
      if (flags[flag] !== undefined) throw unread(flag, table)
    }
    const note = `The table ${table} was not read, because rates are given; add --region, --profile or --endpoint to read it.`
    return { input: {}, notes: table === undefined ? [] : [note] }
  }
  const { knownOfTable } = await import('./known-table.js')
  const hasRates = [writes, flags.reads, hotWrites, flags.hotReads].some((rate) => rate !== undefined)
  return knownOfTable({ ...flags, table, hasRates }, terminal)
}

function unread(flag: string, table: string | undefined): CommandError {
  return new CommandError(
    `--${flag} has no effect, because rates are given and so the table ${table} is not read. Add --region, --profile or --endpoint to read it, or leave out --${flag}.`,
  )
}

function fromFile(from: string, { columns, as, rate = 1, window, table }: PlanFlags): Known {
  const text = readText(from)
  const isTrace = text.startsWith('{')
  if (isTrace && columns !== undefined)
    throw new CommandError('--columns is for logs; a trace has its own members. Leave it out.')
  if (isTrace && as !== undefined)
    throw new CommandError('--as is for logs; a trace has the operation of each request. Leave it out.')
  const traced = isTrace
    ? readTrace(text, { rate, windowSeconds: window ?? 1, ...(table === undefined ? {} : { table }) })
    : undefined
  const profile =
    traced?.profile ??
    readLog(text, {
      kind: as === 'reads' ? 'read' : 'write',
      rate,
      windowSeconds: window ?? WINDOW_OF_LOGS,
      ...(columns === undefined ? {} : { columns }),
    })
  return {
    input: { ...inputOf(profile), ...(traced === undefined ? named(table) : tableOf(traced)) },
    notes: [noteOf(profile, rate)],
  }
}

/** A log is of no table, so the name is for the plan alone. */
function named(table: string | undefined): Partial<PlanInput> {
  return table === undefined ? {} : { table }
}

function tableOf({ table, key }: TraceTraffic): Partial<PlanInput> {
  const { partition: partitionKey, sort } = key
  // Without a sort key, each partition key has one item.
  return { table, partitionKey, ...(sort === undefined ? { order: 'single-item' } : { sortKey: sort }) }
}

function inputOf(profile: TrafficProfile): Partial<PlanInput> {
  const { keys, peakWritesPerSecond, peakReadsPerSecond, itemBytes } = profile
  const sum = (member: 'writesPerSecond' | 'readsPerSecond') =>
    keys.reduce((total, key) => total + key[member], 0)
  return {
    keys,
    // The keys have their peaks at different times, so together they can exceed the table's.
    otherWritesPerSecond: Math.max(0, peakWritesPerSecond - sum('writesPerSecond')),
    otherReadsPerSecond: Math.max(0, peakReadsPerSecond - sum('readsPerSecond')),
    meanWritesPerSecond: profile.meanWritesPerSecond,
    meanReadsPerSecond: profile.meanReadsPerSecond,
    distinctKeys: profile.distinctKeys,
    ...(itemBytes === undefined ? {} : { itemBytes: Math.max(1, Math.round(itemBytes)) }),
  }
}

function noteOf({ requests, seconds, distinctKeys }: TrafficProfile, rate: number): string {
  const days = seconds / 86_400
  const time = days >= 1 ? `${days.toFixed(1)} days` : `${seconds.toFixed(0)} s`
  const dense = rate === 1 ? '' : `, ${rate} times as dense`
  return `From ${requests.toLocaleString('en-US')} requests for ${distinctKeys.toLocaleString('en-US')} keys in ${time}${dense}.`
}

import {
  AdvisorError,
  AWS_PRICES,
  DEFAULT_PLAN_INPUT,
  type LogColumns,
  type Plan,
  type PlanInput,
  type PriceList,
  parsePriceList,
  planTable,
  readLog,
  readTrace,
  type TrafficProfile,
} from '@isotherm/advisor'
import type { Rehearsal } from '@isotherm/advisor/rehearsal'
import { Command } from 'commander'
import { CommandError, EXIT_OK } from '../command-error.js'
import { httpUrl, number, oneOf, region, wholeNumber } from '../flags.js'
import { interruption } from '../interruption.js'
import { planText } from '../presentation/plan-text.js'
import { readText } from '../read-text.js'
import { type Terminal, writeLine } from '../terminal.js'

interface PlanFlags {
  readonly from?: string
  readonly columns?: LogColumns
  readonly as: 'writes' | 'reads'
  readonly rate?: number
  readonly window?: number
  readonly table?: string
  readonly endpoint?: URL
  readonly region?: string
  readonly profile?: string
  readonly hours: number
  readonly sample: number
  readonly partitionKey?: string
  readonly sortKey?: string
  readonly writes?: number
  readonly reads?: number
  readonly hotWrites?: number
  readonly hotReads?: number
  readonly meanWrites?: number
  readonly meanReads?: number
  readonly keys?: number
  readonly itemBytes?: number
  readonly storedGb?: number
  readonly page: number
  readonly consistent?: boolean
  readonly order: PlanInput['order']
  readonly access: PlanInput['access']
  readonly ramp: number
  readonly localIndex?: boolean
  readonly partitions?: number
  readonly provisionedWrites?: number
  readonly headRoom: number
  readonly confidence: number
  readonly prices?: string
  readonly priceRegion?: string
  readonly seed: number
  readonly verify?: boolean
  readonly json?: boolean
}

const MAX_RATE = 10_000_000
/** Under this mean distance of requests, seconds say something. */
const WINDOW_OF_LOGS = 60

/** `isotherm plan`: sizes a table, its shards and its price. */
export function planCommand(terminal: Terminal, exit: (code: number) => void): Command {
  return new Command('plan')
    .option(
      '--writes <number>',
      'writes a second of the whole table at its peak',
      number('--writes', 0, MAX_RATE),
    )
    .option(
      '--reads <number>',
      'reads (pages) a second of the whole table at its peak',
      number('--reads', 0, MAX_RATE),
    )
    .option(
      '--hot-writes <number>',
      'of them, writes to the hottest key',
      number('--hot-writes', 0, MAX_RATE),
    )
    .option('--hot-reads <number>', 'of them, reads of the hottest key', number('--hot-reads', 0, MAX_RATE))
    .option(
      '--mean-writes <number>',
      'writes a second over the month, for the price; the peak without it',
      number('--mean-writes', 0, MAX_RATE),
    )
    .option('--mean-reads <number>', 'the same for reads', number('--mean-reads', 0, MAX_RATE))
    .option('--keys <number>', 'how many different partition keys there are', wholeNumber('--keys', 1, 1e12))
    .option(
      '--item-bytes <bytes>',
      'the mean size of an item; 1,024 if nothing says it',
      wholeNumber('--item-bytes', 1, 409_600),
    )
    .option('--stored-gb <number>', 'the size of the table', number('--stored-gb', 0, 1e9))
    .option(
      '--from <file>',
      'rates from a log (TSV or CSV with a heading), or from a trace of isotherm local --trace',
    )
    .option('--columns <names>', 'of the log: time=NAME,key=NAME,operation=NAME,bytes=NAME', columnsOf)
    .option(
      '--as <kind>',
      'what a line of the log is without an operation',
      oneOf('--as', ['writes', 'reads'] as const),
      'writes',
    )
    .option(
      '--rate <factor>',
      'how much denser the traffic shall be than in the log',
      number('--rate', 0.000_001, MAX_RATE),
    )
    .option(
      '--window <seconds>',
      'the time over which peaks are averaged; 60 for logs, 1 for traces',
      wholeNumber('--window', 1, 86_400),
    )
    .option(
      '--table <name>',
      'a table, for its definition, items and metrics; or a name for the plan, or of the trace',
    )
    .option('--endpoint <url>', 'of another engine than Amazon DynamoDB', httpUrl('--endpoint'))
    .option('--region <name>', "the table's region; the SDK's own without it", region('--region'))
    .option('--profile <name>', 'of the AWS configuration')
    .option(
      '--hours <number>',
      'of metrics of the table that are looked at',
      wholeNumber('--hours', 1, 24 * 14),
      24,
    )
    .option(
      '--sample <items>',
      'items of the table that are sampled',
      wholeNumber('--sample', 0, 100_000),
      1_000,
    )
    .option('--partition-key <name>', 'its name, for the code')
    .option('--sort-key <name>', 'its name, for the code')
    .option(
      '--order <order>',
      'new items of a key: rising (at the end), spread, or single-item (one item is updated)',
      oneOf('--order', ['rising', 'spread', 'single-item'] as const),
      'rising',
    )
    .option(
      '--access <kind>',
      'append, or update for items that are read and changed one by one',
      oneOf('--access', ['append', 'update'] as const),
      'append',
    )
    .option('--ramp <minutes>', 'how long the traffic takes to reach its peak', number('--ramp', 0, 1e6), 0)
    .option('--local-index', 'the table has a local index')
    .option(
      '--page <items>',
      'items that readers ask for at a time; 1 for single items',
      wholeNumber('--page', 1, 10_000),
      25,
    )
    .option('--consistent', 'readers ask for consistent reads')
    .option(
      '--partitions <number>',
      'partitions that the table has; 4 for a new on-demand table',
      wholeNumber('--partitions', 1, 100_000),
    )
    .option(
      '--provisioned-writes <units>',
      'write units that are provisioned',
      wholeNumber('--provisioned-writes', 1, 1e7),
    )
    .option(
      '--head-room <share>',
      'of a partition that stays free',
      number('--head-room', 0, 0.9),
      DEFAULT_PLAN_INPUT.headRoom,
    )
    .option(
      '--confidence <share>',
      'odds with which no partition is throttled',
      number('--confidence', 0.5, 0.9999),
      DEFAULT_PLAN_INPUT.confidence,
    )
    .option('--prices <file>', 'another price list, as JSON')
    .option('--price-region <name>', 'the region of the prices', region('--price-region'))
    .option(
      '--seed <number>',
      'for simulated odds and the rehearsal',
      wholeNumber('--seed', 0, 2 ** 31 - 1),
      1,
    )
    .option('--verify', 'rehearse the plan on the local engine')
    .option('--json', 'print one line of JSON instead of the page')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  isotherm plan --writes 3000 --hot-writes 2600 --reads 50 --hot-reads 40\n' +
        '  isotherm plan --writes 3000 --hot-writes 2600 --item-bytes 400 --verify\n' +
        '  isotherm plan --from access-log.tsv --columns time=epoch_seconds,key=path --rate 2000\n' +
        '  isotherm plan --from today.jsonl --rate 3\n' +
        '  isotherm plan --table orders --hours 48\n',
    )
    .action(async (flags: PlanFlags) => {
      try {
        exit(await plan(flags, terminal))
      } catch (error) {
        throw error instanceof AdvisorError
          ? new CommandError(error.message, undefined, { cause: error })
          : error
      }
    })
}

/** What is known before the flags, and where it comes from. */
interface Known {
  readonly input: Partial<PlanInput>
  readonly notes: readonly string[]
}

async function plan(flags: PlanFlags, terminal: Terminal): Promise<number> {
  const known = await knownFrom(flags, terminal)
  const input: PlanInput = { ...DEFAULT_PLAN_INPUT, ...known.input, ...fromFlags(flags, known.input) }
  const made = planTable(input, pricesOf(flags))
  const rehearsal = flags.verify === true ? await rehearsed(made, terminal) : undefined
  const notes = [
    ...known.notes,
    ...(input.itemBytes === DEFAULT_PLAN_INPUT.itemBytes &&
    flags.itemBytes === undefined &&
    known.input.itemBytes === undefined
      ? ['Items of 1,024 bytes are assumed; give --item-bytes.']
      : []),
  ]
  const { out } = terminal
  writeLine(
    out,
    flags.json
      ? JSON.stringify({ ...made, notes, ...(rehearsal === undefined ? {} : { rehearsal }) })
      : planText(made, notes, rehearsal),
  )
  return EXIT_OK
}

async function knownFrom(flags: PlanFlags, terminal: Terminal): Promise<Known> {
  const { from, table, endpoint, writes, hotWrites } = flags
  if (from !== undefined) return fromFile(from, flags)
  for (const flag of ['columns', 'rate', 'window'] as const) {
    if (flags[flag] !== undefined) throw new CommandError(`--${flag} is for --from, a log or a trace.`)
  }
  const isLive =
    table !== undefined &&
    (endpoint !== undefined ||
      flags.region !== undefined ||
      flags.profile !== undefined ||
      (writes === undefined && hotWrites === undefined))
  if (!isLive) return { input: {}, notes: [] }
  const { knownOfTable } = await import('../known-table.js')
  return knownOfTable({ ...flags, table }, terminal)
}

function fromFile(from: string, { columns, as, rate = 1, window, table }: PlanFlags): Known {
  const text = readText(from)
  const isTrace = text.startsWith('{')
  if (isTrace && columns !== undefined)
    throw new CommandError('--columns is for logs; a trace has its own members.')
  const traced = isTrace
    ? readTrace(text, { rate, windowSeconds: window ?? 1, ...(table === undefined ? {} : { table }) })
    : undefined
  const profile =
    traced?.profile ??
    readLog(text, {
      kind: as === 'writes' ? 'write' : 'read',
      rate,
      windowSeconds: window ?? WINDOW_OF_LOGS,
      ...(columns === undefined ? {} : { columns }),
    })
  return {
    input: { ...inputOf(profile), ...(traced === undefined ? {} : { table: traced.table }) },
    notes: [noteOf(profile, rate)],
  }
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

/** Flags win over what a log or a table says. */
function fromFlags(flags: PlanFlags, known: Partial<PlanInput>): Partial<PlanInput> {
  const { writes, reads, hotWrites, hotReads, table, partitionKey, sortKey } = flags
  const given: Partial<PlanInput> = {
    pageItems: flags.page,
    consistency: flags.consistent === true ? 'strong' : 'eventual',
    order: flags.order,
    access: flags.access,
    rampMinutes: flags.ramp,
    headRoom: flags.headRoom,
    confidence: flags.confidence,
    seed: flags.seed,
    ...(table === undefined || flags.from !== undefined ? {} : { table }),
    ...(partitionKey === undefined ? {} : { partitionKey }),
    ...(sortKey === undefined ? {} : { sortKey }),
    ...(flags.meanWrites === undefined ? {} : { meanWritesPerSecond: flags.meanWrites }),
    ...(flags.meanReads === undefined ? {} : { meanReadsPerSecond: flags.meanReads }),
    ...(flags.keys === undefined ? {} : { distinctKeys: flags.keys }),
    ...(flags.itemBytes === undefined ? {} : { itemBytes: flags.itemBytes }),
    ...(flags.storedGb === undefined ? {} : { storedGb: flags.storedGb }),
    ...(flags.localIndex === true ? { hasLocalIndex: true } : {}),
    ...(flags.partitions === undefined ? {} : { partitions: flags.partitions }),
    ...(flags.provisionedWrites === undefined ? {} : { provisionedWriteUnits: flags.provisionedWrites }),
    ...regionOfPrices(flags),
  }
  const isRated = [writes, reads, hotWrites, hotReads].some((rate) => rate !== undefined)
  if (!isRated) return given
  const [first] = known.keys ?? []
  const before = totalsOf(known)
  const hot = {
    writes: hotWrites ?? first?.writesPerSecond ?? 0,
    reads: hotReads ?? first?.readsPerSecond ?? 0,
  }
  const all = {
    writes: writes ?? Math.max(hot.writes, before.writes),
    reads: reads ?? Math.max(hot.reads, before.reads),
  }
  for (const kind of ['writes', 'reads'] as const) {
    if (hot[kind] <= all[kind]) continue
    throw new CommandError(
      `--hot-${kind} is ${hot[kind]}, more than the ${all[kind]} of --${kind}; it is a part of them.`,
    )
  }
  return {
    ...given,
    keys: [
      {
        ...(first?.key === undefined ? {} : { key: first.key }),
        writesPerSecond: hot.writes,
        readsPerSecond: hot.reads,
      },
    ],
    otherWritesPerSecond: all.writes - hot.writes,
    otherReadsPerSecond: all.reads - hot.reads,
  }
}

/** What a log or a table says of all keys together. */
function totalsOf({ keys = [], otherWritesPerSecond = 0, otherReadsPerSecond = 0 }: Partial<PlanInput>) {
  return {
    writes: keys.reduce((sum, { writesPerSecond }) => sum + writesPerSecond, otherWritesPerSecond),
    reads: keys.reduce((sum, { readsPerSecond }) => sum + readsPerSecond, otherReadsPerSecond),
  }
}

/** Prices of the table's own region where the list has them. */
function regionOfPrices({ priceRegion, region: own, prices }: PlanFlags): Partial<PlanInput> {
  if (priceRegion !== undefined) return { region: priceRegion }
  const list = prices === undefined ? AWS_PRICES : parsePriceList(readText(prices))
  if (own !== undefined && Object.hasOwn(list.regions, own)) return { region: own }
  const [first] = Object.keys(list.regions)
  return first === undefined ? {} : { region: first }
}

function pricesOf({ prices }: PlanFlags): PriceList {
  return prices === undefined ? AWS_PRICES : parsePriceList(readText(prices))
}

async function rehearsed(made: Plan, { err, display }: Terminal): Promise<Rehearsal> {
  // Loaded on demand: it brings the engine and the AWS SDK.
  const { rehearsePlan } = await import('@isotherm/advisor/rehearsal')
  const { createLogUpdate } = await import('log-update')
  const update = display === undefined ? undefined : createLogUpdate(display)
  if (update === undefined) writeLine(err, 'isotherm: rehearsing the plan on the local engine')
  try {
    return await rehearsePlan(made, {
      signal: interruption(),
      onProgress: (done, of) => update?.(`rehearsing on the local engine: ${done} of ${of}`),
    })
  } finally {
    update?.clear()
    update?.done()
  }
}

const COLUMNS = ['time', 'key', 'operation', 'bytes'] as const

function columnsOf(text: string): LogColumns {
  const pairs = text.split(',').map((pair) => {
    const [, member = '', name = ''] = /^(\w+)=(.+)$/.exec(pair) ?? []
    const known = COLUMNS.find((each) => each === member)
    if (known !== undefined) return [known, name]
    throw new CommandError(
      `--columns is '${text}'; it must be time=NAME,key=NAME, and operation=NAME and bytes=NAME if the log has them.`,
    )
  })
  return Object.fromEntries(pairs)
}

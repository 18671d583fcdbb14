import { type Random, randomInteger } from '@isotherm/runtime'
import { type Faults, NO_FAULTS } from '../world/faults.js'
import { chanceFor } from '../world/seeds.js'
import { withColdKeys } from './cold-keys.js'
import { latestMilliseconds } from './latest-milliseconds.js'
import type { ModeName } from './modes/mode.js'
import { withRareOptions } from './rare-options.js'
import { withFittingTimes } from './short-times.js'
import { type SteadySettings, withSteadyLoad } from './steady-settings.js'

/** Everything that is drawn for one run: plain data, so that a run can be repeated with a part of it switched off. */
export interface Settings {
  readonly seed: number
  readonly runMilliseconds: number
  readonly workload: WorkloadName
  /** What the world does besides, which it does in no other run; `undefined` for nothing. */
  readonly mode: ModeName | undefined
  readonly processes: number
  readonly maxAttempts: number
  readonly usesSdk: boolean
  readonly faults: Faults
  readonly table: TableSettings
  readonly engine: EngineSettings
  readonly writesPerSecond: number
  readonly readsPerSecond: number
  /** Whether a batch of appends is of several keys. */
  readonly batchesMixKeys: boolean
  /** Of the appends to an adopted table, those of programs that do not know the library. */
  readonly plainShare: number
  readonly itemBytes: number
  /** Milliseconds between two changes of a count by hand; infinite for none. */
  readonly operatorMilliseconds: number
  /** Since the load began: then counts are left alone, and what was begun has the rest of it to come to its end. */
  readonly operatedMilliseconds: number
  readonly keys: number
  readonly itemsPerKey: number
  readonly index: IndexSettings
  /** Whether the shard maps are lost when the load has ended, in the middle of whatever is under way. */
  readonly losesShardMaps: boolean
  /** The steady load that follows when the load of the run has ended; `undefined` for none. */
  readonly steady: SteadySettings | undefined
}

interface TableSettings {
  readonly initialShards: number
  readonly maxShards: number
  readonly suffix: 'random' | 'calculated'
  readonly isFixed: boolean
  readonly adopt: boolean
  readonly sortType: 'S' | 'N'
  readonly cacheMilliseconds: number
  readonly lateMilliseconds: number
  /** How long reads that need not be consistent may use a count that is out of date, while the shard map does not answer. */
  readonly staleMilliseconds: number
  readonly cooldownMilliseconds: number
  readonly jitterMilliseconds: readonly [number, number]
  readonly drainUnitsPerSecond: number
  readonly quiet: boolean
  /** Quiet keys lose shards nearly always: where that has to pay, drains are rare. */
  readonly shrink: 'always' | 'when-it-pays'
  readonly policy: 'proportional' | 'doubling' | 'increment'
  readonly transactions: boolean
  /** The initial count that the table gets during the load; 0 if it keeps the one that it has. */
  readonly migrateTo: number
  /** Indexes with the table's own keys, which eventually consistent queries are spread over. */
  readonly readReplicas: number
  /** Whether every second process has other options, as while a new version is rolled out. */
  readonly optionsDiffer: boolean
  /** Whether the card gets so many keys that it has room for one more. */
  readonly cardIsFull: boolean
}

interface EngineSettings {
  readonly throttles: boolean
  readonly partitionWriteUnits: number
  /** Of a partition, a second; infinite for what nobody reaches. */
  readonly partitionReadUnits: number
  /** Of each whole table, a second; infinite for none. */
  readonly tableWriteUnits: number
  readonly partitions: number
  readonly splits: boolean
  /** How long a partition must be hot before it splits. */
  readonly heatSeconds: number
  readonly readLagMilliseconds: number
  readonly transactionMilliseconds: number
}

interface IndexSettings {
  /** Of each of its keys, or at first if they change. */
  readonly shards: number
  readonly isDynamic: boolean
  readonly lagMilliseconds: number
  /** Units that may wait for one of its partitions. */
  readonly queueUnits: number
}

/** What a run is of. */
export const WORKLOADS = [
  'hot-key-ramp',
  'flash-crowd',
  'moving-hot-spot',
  'steady-zipf',
  'bulk-import',
  'rotation',
  'kept-appends',
  'shared-items',
  'counters',
  'transfers',
  'indexed-items',
  'queue',
  'pool',
  'search',
  'large',
  'counter',
] as const

export type WorkloadName = (typeof WORKLOADS)[number]

/** Those whose items are more than appends. */
const CALCULATED: readonly WorkloadName[] = [
  'shared-items',
  'counters',
  'transfers',
  'indexed-items',
  'queue',
  'pool',
  'search',
  'large',
  'counter',
]

/** Those in which no application puts an item twice where it may have been put already: it has one copy at any time. */
export const ONE_COPY: readonly WorkloadName[] = ['kept-appends', ...CALCULATED]

/** Those in which a write that is sent again by the SDK is done twice, so that nobody can say what should be there. */
const SENT_ONCE: readonly WorkloadName[] = ['kept-appends', 'shared-items', 'indexed-items', 'large']

const SHARE_OF_DYNAMIC_INDEXES = 0.5

/** Those whose tables are sharded by one key, and nothing else. */
export const LOSING: readonly WorkloadName[] = [
  'hot-key-ramp',
  'flash-crowd',
  'kept-appends',
  'shared-items',
  'counters',
  'transfers',
]

const SHARE_OF_LOST_SHARD_MAPS = 0.04

/** So that a transaction that reads a few items of a random key, each in every shard, has no more actions than it may. */
const MAX_SHARDS_TO_LOOK_IN = 16

/** Each of their processes looks for work all the while: sixty of them take a minute of a core for a minute of load. */
const BUSY: readonly WorkloadName[] = ['queue', 'pool', 'counter', 'search']
const MOST_BUSY_PROCESSES = 10

function mostProcesses(workload: WorkloadName): number {
  return BUSY.includes(workload) ? MOST_BUSY_PROCESSES : Number.POSITIVE_INFINITY
}

/** The settings of a seed, without a mode: every draw comes from it, and some runs have none of a fault, others much of it. */
export function drawnSettings(
  seed: number,
  runMilliseconds: number,
  workloads: readonly WorkloadName[],
): Settings {
  const random = chanceFor(seed, 0)
  const pick = <T>(options: readonly T[]): T => options[randomInteger(random, 0, options.length - 1)] as T
  const workload = pick(workloads)
  const suffix = CALCULATED.includes(workload) ? 'calculated' : 'random'
  const drawn = drawnTable(random, pick, { suffix, fixedShare: workload === 'indexed-items' ? 0.4 : 0.1 })
  const table = workload === 'kept-appends' ? withFewShards(drawn) : drawn
  const settings: Settings = {
    seed,
    runMilliseconds,
    workload,
    mode: undefined,
    processes: Math.min(pick([1, 2, 2, 3, 4, 6, 10, 20, 60]), mostProcesses(workload)),
    // An SDK that sends a write again does it twice: then single items do not behave as if they were written once.
    maxAttempts: SENT_ONCE.includes(workload) ? 1 : pick([1, 4]),
    usesSdk: random.next() < 0.005,
    faults: drawnFaults(random, pick, table),
    table,
    engine: {
      throttles: random.next() < 0.9,
      partitionWriteUnits: pick([10, 20, 40]),
      partitionReadUnits: Number.POSITIVE_INFINITY,
      tableWriteUnits: Number.POSITIVE_INFINITY,
      partitions: pick([1, 2, 4, 8]),
      splits: random.next() < 0.5,
      heatSeconds: 20,
      readLagMilliseconds: pick([0, 0, 100, 1_000]),
      transactionMilliseconds: pick([0, 1, 5, 50]),
    },
    writesPerSecond: pick([2, 5, 10, 20, 40]),
    readsPerSecond: pick([0.5, 1, 3]),
    batchesMixKeys: false,
    plainShare: 0,
    itemBytes: pick([10, 1_500, 3_500]),
    operatorMilliseconds: pick([Number.POSITIVE_INFINITY, 2_000, 20_000]),
    operatedMilliseconds: Number.POSITIVE_INFINITY,
    keys: pick([1, 2, 4]),
    itemsPerKey: pick([1, 4, 10]),
    index: {
      shards: pick([1, 2, 3, 5]),
      isDynamic: false,
      lagMilliseconds: pick([0, 0, 100, 2_000]),
      queueUnits: pick([20, 200]),
    },
    losesShardMaps: false,
    steady: undefined,
  }
  // Drawn last, so that what is drawn for a seed stays what it was.
  const batchSpreadMilliseconds = random.next() < 0.5 ? 0 : pick([5, 50, 500])
  // With a calculated suffix they must be gone before a table is adopted.
  const plainShare = table.adopt && suffix === 'random' ? pick([0, 0.2, 0.8]) : 0
  const whole = { ...settings, plainShare, faults: { ...settings.faults, batchSpreadMilliseconds } }
  // Each by a chance of its own, so that what is drawn for a seed stays what it was.
  const fitting = withRareOptions(withFittingTimes(whole, chanceFor(seed, 5)), chanceFor(seed, 6))
  const shrink = chanceFor(seed, 8).next() < SHARE_WHERE_IT_PAYS ? 'when-it-pays' : 'always'
  const isDynamic = chanceFor(seed, 9).next() < SHARE_OF_DYNAMIC_INDEXES
  const rest: Settings = {
    ...fitting,
    table: { ...fitting.table, shrink },
    index: { ...fitting.index, isDynamic },
    losesShardMaps:
      !table.isFixed && LOSING.includes(workload) && chanceFor(seed, 10).next() < SHARE_OF_LOST_SHARD_MAPS,
  }
  const loaded = withSteadyLoad(rest, chanceFor(seed, 7))
  return withMigration(withColdKeys(loaded, chanceFor(seed, 12)), chanceFor(seed, 10))
}

/** In so many runs with dynamic counts the table gets another initial count. */
const SHARE_OF_MIGRATIONS = 0.15

const INITIAL_COUNTS = [1, 2, 3, 4, 6, 9] as const

function withMigration(settings: Settings, random: Random): Settings {
  const isDrawn = random.next() < SHARE_OF_MIGRATIONS
  const migrateTo = INITIAL_COUNTS[Math.floor(random.next() * INITIAL_COUNTS.length)] ?? 1
  const { table, steady } = settings
  if (!isDrawn || table.isFixed || steady !== undefined) return settings
  return { ...settings, table: { ...table, migrateTo } }
}

/** In so many runs the library decides itself whether a quiet key loses shards. */
const SHARE_WHERE_IT_PAYS = 0.05

function withFewShards(table: TableSettings): TableSettings {
  return { ...table, maxShards: Math.min(table.maxShards, MAX_SHARDS_TO_LOOK_IN) }
}

type Pick = <T>(options: readonly T[]) => T

function drawnTable(
  random: Random,
  pick: Pick,
  { suffix, fixedShare }: { readonly suffix: TableSettings['suffix']; readonly fixedShare: number },
): TableSettings {
  const adopt = random.next() < 0.2
  // An adopted table with a calculated suffix begins with the one shard that everything is in.
  const isBound = adopt && suffix === 'calculated'
  const initialShards = pick([1, 1, 1, 2, 5])
  const isFixed = random.next() < fixedShare
  return {
    suffix,
    adopt,
    initialShards: isBound ? 1 : initialShards,
    isFixed: isFixed && !isBound,
    maxShards: pick([8, 16, 50]),
    drainUnitsPerSecond: pick([10, 100, 1_000]),
    quiet: random.next() < 0.5,
    shrink: 'always',
    sortType: pick(['S', 'N']),
    cacheMilliseconds: pick([500, 1_000, 3_000, 10_000]),
    lateMilliseconds: pick([2_000, 5_000, 20_000]),
    // Reads are held to what they must know. A count that is out of date would excuse them.
    staleMilliseconds: 0,
    cooldownMilliseconds: pick([0, 5_000, 10_000, 30_000]),
    jitterMilliseconds: pick([
      [0, 0],
      [100, 1_000],
      [1_000, 3_000],
    ]),
    policy: pick(['proportional', 'proportional', 'doubling', 'increment']),
    transactions: true,
    migrateTo: 0,
    readReplicas: 0,
    optionsDiffer: false,
    cardIsFull: false,
  }
}

/** Each fault is absent from about half of the runs, so that none hides what another brings to light. */
function drawnFaults(random: Random, pick: Pick, table: TableSettings): Faults {
  const share = (shares: readonly number[]) => (random.next() < 0.5 ? 0 : pick(shares))
  const interval = (intervals: readonly number[]) =>
    random.next() < 0.5 ? Number.POSITIVE_INFINITY : pick(intervals)
  const drift = share([0.0002, 0.001, 0.01])
  return {
    ...NO_FAULTS,
    delayMilliseconds: pick([1, 5, 30]),
    lostRequests: share([0.001, 0.01, 0.05]),
    lostReplies: share([0.001, 0.01, 0.05]),
    lateRequests: share([0.001, 0.01, 0.05]),
    serverErrors: share([0.001, 0.01, 0.05]),
    conflicts: share([0.001, 0.01]),
    pauseIntervalMilliseconds: interval([10_000, 60_000]),
    pauseMilliseconds: pick([2_000, 15_000, 60_000]),
    crashIntervalMilliseconds: interval([15_000, 60_000]),
    jumpIntervalMilliseconds: interval([30_000]),
    jumpMilliseconds: pick([1_000, 60_000]),
    drift,
    calendarMilliseconds: share([100, 3_000]),
    latestMilliseconds: latestMilliseconds(table, drift),
  }
}

import { NO_FAULTS } from '../world/faults.js'
import type { ModeName } from './modes/mode.js'
import type { Settings } from './settings.js'

/** Parts of a run that can be switched off, by the names that the command line has for them. */
export const SWITCHES: Readonly<Record<string, (settings: Settings) => Settings>> = {
  'lost-requests': withoutFault('lostRequests'),
  'lost-replies': withoutFault('lostReplies'),
  'late-requests': withoutFault('lateRequests'),
  'server-errors': withoutFault('serverErrors'),
  conflicts: withoutFault('conflicts'),
  'throttled-reads': withoutFault('throttledReads'),
  'split-batches': withoutFault('batchSpreadMilliseconds'),
  pauses: withoutFault('pauseIntervalMilliseconds'),
  crashes: withoutFault('crashIntervalMilliseconds'),
  jumps: withoutFault('jumpIntervalMilliseconds'),
  drift: withoutFault('drift'),
  calendars: withoutFault('calendarMilliseconds'),
  throttling: withEngine({ throttles: false }),
  splits: withEngine({ splits: false }),
  'read-lag': withEngine({ readLagMilliseconds: 0 }),
  'index-lag': (settings) => ({
    ...settings,
    index: { ...settings.index, lagMilliseconds: 0, queueUnits: Number.MAX_SAFE_INTEGER },
  }),
  'dynamic-indexes': (settings) => ({ ...settings, index: { ...settings.index, isDynamic: false } }),
  'slow-transactions': withEngine({ transactionMilliseconds: 0 }),
  operators: (settings) => ({ ...settings, operatorMilliseconds: Number.POSITIVE_INFINITY }),
  migrations: (settings) => ({ ...settings, table: { ...settings.table, migrateTo: 0 } }),
  'quiet-keys': (settings) => ({ ...settings, table: { ...settings.table, quiet: false } }),
  'plain-writers': (settings) => ({ ...settings, plainShare: 0 }),
  'steady-load': (settings) => ({ ...settings, steady: undefined }),
  'lost-shard-maps': (settings) => ({ ...settings, losesShardMaps: false }),
  retries: (settings) => ({ ...settings, maxAttempts: 1 }),
  sdk: (settings) => ({ ...settings, usesSdk: false }),
}

/** What the command line may say besides the seed. */
export interface Adjustments {
  readonly without: readonly string[]
  readonly processes: number | undefined
  readonly writesPerSecond: number | undefined
  /** Lets requests arrive so many times later than `lateRequests`, to show what the bound is for. */
  readonly lateness: number
  /** What the world does besides; `none` for nothing, and `undefined` for what is drawn. */
  readonly mode: ModeName | 'none' | undefined
}

export const NO_ADJUSTMENTS: Adjustments = {
  without: [],
  processes: undefined,
  writesPerSecond: undefined,
  lateness: 1,
  mode: undefined,
}

/** The settings with parts of them switched off or made smaller. @throws RangeError for a switch that there is not */
export function adjusted(
  settings: Settings,
  { without, processes, writesPerSecond, lateness }: Adjustments,
): Settings {
  const switched = without.reduce((current, name) => {
    const off = SWITCHES[name]
    if (off === undefined) {
      throw new RangeError(`There is no switch ${name}; there are ${Object.keys(SWITCHES).join(', ')}.`)
    }
    return off(current)
  }, settings)
  const { faults } = switched
  return {
    ...switched,
    processes: processes ?? switched.processes,
    writesPerSecond: writesPerSecond ?? switched.writesPerSecond,
    faults: { ...faults, latestMilliseconds: faults.latestMilliseconds * lateness },
  }
}

function withoutFault(name: keyof typeof NO_FAULTS) {
  return (settings: Settings): Settings => ({
    ...settings,
    faults: { ...settings.faults, [name]: NO_FAULTS[name] },
  })
}

function withEngine(part: Partial<Settings['engine']>) {
  return (settings: Settings): Settings => ({ ...settings, engine: { ...settings.engine, ...part } })
}

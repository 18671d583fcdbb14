import type { Random } from '@isotherm/runtime'
import type { Settings } from './settings.js'

/** A load that begins when everything else has ended: of one key, more than a partition takes and less than its shards would. */
export interface SteadySettings {
  readonly by: 'puts' | 'batches'
  /** How many partitions it would fill. */
  readonly partitionsOffered: number
}

/** Of the runs that can have it. */
const SHARE_OF_RANDOM = 0.05
const SHARE_OF_CALCULATED = 0.06

/** The phases of a calculated key's count take twice as long, and many of them are needed. */
const LONGEST_PHASE_MILLISECONDS = 8_000

/** So many that few of a key's shards meet on one. */
const PARTITIONS = 64

/** More than any of them needs, unless it is unlucky with its shards. */
const LEAST_MAX_SHARDS = 16

const LONGEST_COOLDOWN_MILLISECONDS = 10_000
const LEAST_DRAIN_UNITS_PER_SECOND = 100

const PARTITIONS_OFFERED = [1.5, 2, 2.5] as const

/** Gives a part of the runs a steady load, to see whether counts converge. */
export function withSteadyLoad(settings: Settings, random: Random): Settings {
  const { table } = settings
  const isRandom = table.suffix === 'random'
  const isDrawn = random.next() < (isRandom ? SHARE_OF_RANDOM : SHARE_OF_CALCULATED)
  const by = random.next() < 0.5 ? 'puts' : 'batches'
  const partitionsOffered = PARTITIONS_OFFERED[Math.floor(random.next() * PARTITIONS_OFFERED.length)] ?? 2
  const isTooSlow = !isRandom && table.cacheMilliseconds + table.lateMilliseconds > LONGEST_PHASE_MILLISECONDS
  if (!isDrawn || table.isFixed || isTooSlow) return settings
  return steadilyLoaded(settings, { by, partitionsOffered })
}

/** The same run with such a load, and with what it takes that it converges within minutes. */
export function steadilyLoaded(settings: Settings, steady: SteadySettings): Settings {
  const { table, engine, faults } = settings
  return {
    ...settings,
    steady,
    table: {
      ...table,
      isFixed: false,
      maxShards: Math.max(table.maxShards, LEAST_MAX_SHARDS),
      cooldownMilliseconds: Math.min(table.cooldownMilliseconds, LONGEST_COOLDOWN_MILLISECONDS),
      drainUnitsPerSecond: Math.max(table.drainUnitsPerSecond, LEAST_DRAIN_UNITS_PER_SECOND),
    },
    engine: { ...engine, throttles: true, partitions: PARTITIONS },
    // A calendar that is a minute ahead makes cooldowns as much longer.
    faults: { ...faults, jumpIntervalMilliseconds: Number.POSITIVE_INFINITY },
  }
}

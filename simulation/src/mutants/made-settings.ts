import { whileColdKeysGrow } from '../runs/cold-keys.js'
import type { Settings } from '../runs/settings.js'
import { type SteadySettings, steadilyLoaded } from '../runs/steady-settings.js'

/**
 * Runs in which counts change as often as they can, batches take long from item to item, and little else goes wrong: for
 * bugs of looking for an item at the moment of its move, which many writers would hide.
 */
export function whileItemsMove(drawn: Settings): Settings {
  return {
    ...drawn,
    processes: 3,
    writesPerSecond: 20,
    keys: 2,
    itemsPerKey: 10,
    operatorMilliseconds: 2_000,
    table: { ...drawn.table, isFixed: false, cacheMilliseconds: 500, lateMilliseconds: 2_000 },
    engine: { ...drawn.engine, throttles: false },
    faults: {
      ...drawn.faults,
      delayMilliseconds: 30,
      batchSpreadMilliseconds: 500,
      latestMilliseconds: 1_900,
      drift: 0,
      lostRequests: 0,
      lostReplies: 0,
      lateRequests: 0,
      pauseIntervalMilliseconds: Number.POSITIVE_INFINITY,
    },
  }
}

/** Runs in which a few busy processes learn late that keys have grown which were never hot. */
export function whileColdKeysGrowUnheard(drawn: Settings): Settings {
  const growing = whileColdKeysGrow(whileItemsMove(drawn))
  return {
    ...growing,
    processes: 4,
    writesPerSecond: 200,
    table: { ...growing.table, cacheMilliseconds: 3_000 },
    faults: { ...growing.faults, crashIntervalMilliseconds: Number.POSITIVE_INFINITY },
  }
}

/** Runs in which processes in neighbouring phases create the same items at the same moment, and no answer comes too late. */
export function whileManyCreateFewItems(drawn: Settings): Settings {
  const moving = whileItemsMove(drawn)
  return {
    ...moving,
    processes: 10,
    writesPerSecond: 40,
    keys: 1,
    itemsPerKey: 4,
    faults: { ...moving.faults, timeoutMilliseconds: 20_000 },
  }
}

/** Runs in which an answer that was lost is found out when the view is no longer young enough to send the same again. */
export function whileAnswersAreLost(drawn: Settings): Settings {
  return {
    ...drawn,
    processes: 3,
    maxAttempts: 4,
    table: { ...drawn.table, isFixed: false, cacheMilliseconds: 500 },
    engine: { ...drawn.engine, throttles: false },
    faults: {
      ...drawn.faults,
      lostReplies: 0.05,
      crashIntervalMilliseconds: Number.POSITIVE_INFINITY,
      pauseIntervalMilliseconds: Number.POSITIVE_INFINITY,
    },
  }
}

/** Runs in which answers are late, transactions collide, and items move between one attempt and the next. */
export function whileAttemptsOvertake(drawn: Settings): Settings {
  const lost = whileAnswersAreLost(drawn)
  return {
    ...lost,
    operatorMilliseconds: 2_000,
    table: { ...lost.table, lateMilliseconds: 5_000 },
    faults: { ...lost.faults, lateRequests: 0.1, conflicts: 0.1, latestMilliseconds: 4_900, drift: 0 },
  }
}

/** Runs in which counts change all the while, and replicas are as far behind as they can be. */
export function whileReplicasLag(drawn: Settings): Settings {
  return {
    ...drawn,
    operatorMilliseconds: 2_000,
    table: { ...drawn.table, isFixed: false },
    engine: { ...drawn.engine, readLagMilliseconds: 1_000 },
  }
}

/** Runs in which processes stand still for long, with requests on their way, while counts go down and up again. */
export function whileProcessesStandStill(drawn: Settings): Settings {
  return {
    ...drawn,
    processes: 4,
    maxAttempts: 4,
    keys: 1,
    writesPerSecond: 40,
    operatorMilliseconds: 2_000,
    table: {
      ...drawn.table,
      isFixed: false,
      initialShards: 1,
      maxShards: 4,
      cacheMilliseconds: 500,
      lateMilliseconds: 2_000,
      jitterMilliseconds: [0, 0],
    },
    engine: { ...drawn.engine, throttles: false },
    faults: {
      ...drawn.faults,
      lostReplies: 0.2,
      latestMilliseconds: 1_900,
      drift: 0,
      pauseIntervalMilliseconds: 3_000,
      pauseMilliseconds: 15_000,
      crashIntervalMilliseconds: Number.POSITIVE_INFINITY,
    },
  }
}

/** Runs in which the table gets another initial count, processes know the card of before for long, and little else goes wrong. */
export function whileTablesAreMigrated(drawn: Settings): Settings {
  const moving = whileItemsMove(drawn)
  return {
    ...moving,
    maxAttempts: 1,
    keys: 4,
    writesPerSecond: 40,
    operatorMilliseconds: Number.POSITIVE_INFINITY,
    steady: undefined,
    table: {
      ...moving.table,
      adopt: false,
      initialShards: 2,
      maxShards: 8,
      migrateTo: 5,
      cacheMilliseconds: 3_000,
    },
    faults: { ...moving.faults, crashIntervalMilliseconds: Number.POSITIVE_INFINITY },
  }
}

/** Short runs with a steady load behind them, which takes many small steps to carry. */
export function whileLoadIsSteady(drawn: Settings): Settings {
  return steady(drawn, 'puts')
}

/** The same by batches. */
export function whileBatchesAreSteady(drawn: Settings): Settings {
  return steady(drawn, 'batches')
}

function steady(drawn: Settings, by: SteadySettings['by']): Settings {
  const { drift } = drawn.faults
  const lateMilliseconds = 2_000
  const table = {
    ...drawn.table,
    initialShards: 1,
    cacheMilliseconds: 500,
    lateMilliseconds,
    quiet: true,
    shrink: 'always',
    policy: 'increment',
  } as const
  const faults = { ...drawn.faults, latestMilliseconds: lateMilliseconds * (1 - 4 * drift) - 1 }
  const short = { ...drawn, runMilliseconds: 10_000, table, faults }
  return steadilyLoaded(short, { by, partitionsOffered: 2.5 })
}

/** A load that ends, and leaves a key with items and shards that nobody reads. */
export function whileNobodyReads(drawn: Settings): Settings {
  const settings = whileLoadIsSteady(drawn)
  return { ...settings, table: { ...settings.table, shrink: 'when-it-pays' } }
}

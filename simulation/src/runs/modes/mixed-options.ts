import { type Mode, SINGLE_APPENDS, without } from './mode.js'

const CRASH_MILLISECONDS = 10_000

/**
 * Every second process has other options, as while a version is rolled out: `transactions`, `max`, `policy`, `cooldown` and
 * `drainUnitsPerSecond`. The options that must be equal are equal. Processes end in the middle of moves, which others finish in their way.
 */
export const MIXED_OPTIONS: Mode = {
  workloads: [...SINGLE_APPENDS, 'bulk-import'],
  notPromised: [],
  apply: (drawn) => {
    const settings = without(drawn)
    const { faults } = settings
    return {
      ...settings,
      processes: Math.min(6, settings.processes + 1),
      operatorMilliseconds: 2_000,
      table: { ...settings.table, optionsDiffer: true, drainUnitsPerSecond: 100 },
      faults: {
        ...faults,
        // Long, so that a process that ends leaves requests on their way, and never as long as a client waits.
        delayMilliseconds: Math.min(30, faults.timeoutMilliseconds / 20),
        crashIntervalMilliseconds: CRASH_MILLISECONDS,
      },
    }
  },
}

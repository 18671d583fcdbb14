import type { HotFileReport } from '@isotherm/scenarios'

/** A run as one line of JSON. No figure depends on the machine, so on virtual time the line is the same everywhere. */
export function jsonLine({ runs, ...run }: HotFileReport): string {
  return JSON.stringify({
    runs: runs.map(
      ({
        strategy,
        accepted,
        throttledAttempts,
        acceptedPerSecond,
        throttledShareAfterRamp,
        shardsFinal,
        readBack,
        ...more
      }) => ({
        strategy,
        accepted,
        throttled: throttledAttempts,
        acceptedPerSecond,
        throttledShareAfterRamp,
        shardsFinal,
        readBack,
        ...more,
      }),
    ),
    ...run,
  })
}

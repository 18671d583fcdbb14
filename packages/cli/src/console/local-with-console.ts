import { type ConsoleSite, capacityEvent, consoleSite, localSource, partitionEvent } from '@isotherm/console'
import { createLocal, type Local, type LocalOptions } from '@isotherm/local'
import { SystemClock } from '@isotherm/runtime'
import { scenarioRunner } from '../scenarios/scenario-runner.js'

/** An engine, and the console that shows it. */
export interface LocalWithConsole {
  readonly local: Local
  readonly site: ConsoleSite
}

/**
 * @param delimiters of tables with suffixes but without a shard map, by the table's name
 * @param pages the folder of the built page, if it is not the one of the package
 */
export function localWithConsole(
  options: LocalOptions,
  delimiters: Readonly<Record<string, string>> = {},
  pages?: string,
): LocalWithConsole {
  const local = createLocal({
    ...options,
    heat: true,
    onPartitionEvent: (event) => site.event(partitionEvent(event)),
    onCapacityEvent: (event) => site.event(capacityEvent(event)),
  })
  const clock = options.clock ?? new SystemClock()
  const onEvent: ConsoleSite['event'] = (event) => site.event(event)
  const site: ConsoleSite = consoleSite({
    source: localSource(local, { delimiters }),
    scenarios: scenarioRunner({ local, clock, onEvent }),
    ...(pages === undefined ? {} : { pages }),
  })
  return { local, site }
}

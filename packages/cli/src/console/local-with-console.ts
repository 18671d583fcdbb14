import { type ConsoleSite, consoleSite, localSource, partitionEvent } from '@isotherm/console'
import { createLocal, type Local, type LocalOptions } from '@isotherm/local'

/** An engine, and the console that shows it. */
export interface LocalWithConsole {
  readonly local: Local
  readonly site: ConsoleSite
}

/** @param delimiters of tables with suffixes but without a shard map, by the table's name */
export function localWithConsole(
  options: LocalOptions,
  delimiters: Readonly<Record<string, string>> = {},
): LocalWithConsole {
  const local = createLocal({
    ...options,
    heat: true,
    onPartitionEvent: (event) => site.event(partitionEvent(event)),
  })
  const site = consoleSite({ source: localSource(local, { delimiters }) })
  return { local, site }
}

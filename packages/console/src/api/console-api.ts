import type { Advice } from './advice.js'
import type { HeatMap } from './heat-map.js'
import type { PartitionList } from './partitions.js'
import type { ProcessHeat } from './process-heat.js'
import type { ShardMap } from './shards.js'
import type { TableList } from './tables.js'

/** The answers of the API by path. */
export interface ConsoleAnswers {
  readonly tables: TableList
  readonly heat: HeatMap
  readonly partitions: PartitionList
  readonly advice: Advice
  readonly shards: ShardMap
  readonly process: ProcessHeat
}

/** Where the console is, at every endpoint that serves it. */
export const CONSOLE_PATH = '/_isotherm/'

/**
 * Asks the API of a console.
 * @param endpoint the address of the endpoint that serves it, such as `http://127.0.0.1:8000`
 * @throws Error with the console's message, or of the connection
 * @example
 * const { tables } = await askConsole('http://127.0.0.1:8000', 'tables')
 * console.log(tables.map(({ name, peak }) => `${name}: ${peak} % of a partition`))
 */
export async function askConsole<Path extends keyof ConsoleAnswers>(
  endpoint: string,
  path: Path,
  parameters: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<ConsoleAnswers[Path]> {
  const url = new URL(`${CONSOLE_PATH}v1/${path}?${new URLSearchParams(parameters)}`, endpoint)
  const response = await fetch(url, signal === undefined ? {} : { signal })
  const body = (await response.json()) as ConsoleAnswers[Path] & { readonly error?: { message: string } }
  if (response.ok) return body
  throw new Error(body.error?.message ?? `${url} answered with ${response.status}.`)
}

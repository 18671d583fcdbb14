import type { HeatSpan } from '@isotherm/local'
import type { ConsoleTable, TableList } from '../api/tables.js'
import type { ConsoleSource, SourceTable, TableRates } from '../source/console-source.js'

const MINUTE = 60_000

/** All tables with their latest minute, those with the hottest partition first. */
export async function tableList(source: ConsoleSource): Promise<TableList> {
  const now = source.now()
  if (source.latest !== undefined) return publishedList(source, source.latest())
  const tables = await Promise.all(
    (await source.tables()).map(async (table): Promise<ConsoleTable> => {
      const keyspace = { region: table.region, table: table.name, index: undefined }
      const span = await source.heat(keyspace, { from: now - MINUTE, to: now, columns: 60 })
      return { ...listed(table), ...latest(span) }
    }),
  )
  tables.sort((a, b) => b.peak - a.peak || (a.name < b.name ? -1 : 1))
  return { version: 1, now, tables }
}

/** The list of an endpoint that publishes the figures of its tables. It is of use without them. */
async function publishedList(
  source: ConsoleSource,
  asked: Promise<ReadonlyMap<string, TableRates>>,
): Promise<TableList> {
  const published = asked.catch((error: unknown) => String(Object(error).message))
  const found = await source.tables()
  const rates = await published
  const tables = found.map((table): ConsoleTable => {
    const rate = typeof rates === 'string' ? undefined : rates.get(table.name)
    const { writes = 0, reads = 0, throttles = 0, peak = 0 } = rate ?? {}
    return { ...listed(table), writes, reads, throttles, peak }
  })
  tables.sort((a, b) => b.writes + b.reads - a.writes - a.reads || (a.name < b.name ? -1 : 1))
  return {
    version: 1,
    now: source.now(),
    tables,
    ...(source.offers === undefined ? {} : { offers: source.offers }),
    ...(typeof rates === 'string' ? { noFigures: rates } : {}),
  }
}

function listed({ shardMap, ...table }: SourceTable) {
  return { ...table, ...(shardMap === undefined ? {} : { shardMap }) }
}

function latest({
  columns,
  seconds,
}: HeatSpan): Pick<ConsoleTable, 'writes' | 'reads' | 'throttles' | 'peak'> {
  let [writes, reads, throttles, peak] = [0, 0, 0, 0]
  const span = Math.max(1, columns.length * seconds)
  for (const { frame } of columns) {
    for (const [, cell] of frame.partitions) {
      writes += cell.writeUnits
      reads += cell.readUnits
      throttles += cell.partitionThrottles + cell.tableThrottles
      peak = Math.max(peak, cell.peak)
    }
  }
  const rate = (sum: number) => Math.round((sum / span) * 10) / 10
  return {
    writes: rate(writes),
    reads: rate(reads),
    throttles: rate(throttles),
    peak: Math.round(peak * 1_000) / 10,
  }
}

import type { openIndexChecks } from '../indexes/index-check.js'
import type { openIndexCounts } from '../indexes/index-counts.js'
import type { TableWithIndexes } from '../indexes/table-with-indexes.js'
import { placementKindOf } from '../options/sharded-table.js'
import { MeanItemBytes } from '../queries/mean-item-bytes.js'
import type { QueriedTable } from '../queries/queried-table.js'
import type { RouteOfIndex } from '../queries/query-route.js'
import { openScaling, type TableScaling, type TableScalingOptions } from '../scaling/table-scaling.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import { CoolShards } from '../writes/cool-shards.js'
import { UpdateHabit } from '../writes/update-habit.js'
import type { WrittenTable } from '../writes/written-table.js'
import type { ParsedOptions, ParsedTable } from './parsed-options.js'
import { shardNamesOf } from './shard-names-of.js'

/** One table of a client with everything that its operations need. Each operation sees only the part that it uses. */
export interface TableRuntime extends WrittenTable, QueriedTable, TableWithIndexes {
  readonly options: ParsedTable
  readonly scaling: TableScaling
}

/** The common part of a client's tables. */
export interface TableSurroundings
  extends Pick<ParsedOptions, 'clock' | 'random' | 'emit'>,
    TableScalingOptions {
  readonly client: PhysicalClient
  /** Opens the shard counts of dynamic indexes, if the client supports indexes. */
  readonly openIndexCounts: typeof openIndexCounts | undefined
  /** Opens the comparisons of indexes with the options, if the client supports indexes. */
  readonly openIndexChecks: typeof openIndexChecks | undefined
  /** Routes queries of an index, if the client supports indexes. */
  readonly routeOf:
    | ((table: TableWithIndexes, ...asked: Parameters<RouteOfIndex>) => ReturnType<RouteOfIndex>)
    | undefined
}

export function openTable(options: ParsedTable, surroundings: TableSurroundings): TableRuntime {
  const { client, clock, random, emit, destroyed, routeOf } = surroundings
  const { indexes } = options
  const suffix = shardNamesOf(options)
  const sending = { options, client, clock, random, emit, suffix, placementKind: placementKindOf(options) }
  const indexCounts = surroundings.openIndexCounts?.(indexes, { table: sending, destroyed }) ?? new Map()
  const indexChecks = surroundings.openIndexChecks?.(sending, indexes, indexCounts) ?? new Map()
  const table = { ...sending, indexes, indexCounts, indexChecks }
  const scaling = openScaling(table, surroundings)
  return {
    ...table,
    scaling,
    views: scaling.views,
    heat: scaling,
    readHeat: scaling.reads,
    coolShards: new CoolShards({ random, clock }),
    updateHabit: new UpdateHabit(),
    meanItemBytes: new MeanItemBytes(),
    routeOfIndex: routeOf && ((input, index) => routeOf(table, input, index)),
    destroyed,
  }
}

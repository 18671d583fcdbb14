import type { Clock, Random } from '@isotherm/runtime'
import type { Emit } from '../events/event.js'
import type { TableWithIndexes } from '../indexes/table-with-indexes.js'
import type { LogicalKey } from '../keys/key.js'
import { Suffix } from '../keys/suffix.js'
import { type PlacementKind, placementKindOf } from '../options/sharded-table.js'
import type { ShardViews } from '../protocol/shard-map/shard-views.js'
import { MeanItemBytes } from '../queries/mean-item-bytes.js'
import type { QueriedTable } from '../queries/queried-table.js'
import type { KeyShards } from '../scaling/key-shards.js'
import type { OpenRebalancer } from '../scaling/rebalancer.js'
import type { TableHeat } from '../scaling/sensing/table-heat.js'
import { TableScaling } from '../scaling/table-scaling.js'
import type { WriteHeat } from '../scaling/write-heat.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import type { WrittenTable } from '../writes/written-table.js'
import type { ParsedOptions, ParsedTable } from './parsed-options.js'

export interface TableSurroundings
  extends Pick<ParsedOptions, 'clock' | 'random' | 'emit' | 'openSharedStates'> {
  readonly client: PhysicalClient
  /** Where queries of an index go, of a client that knows of indexes. */
  readonly routeOf: IndexRouting | undefined
  readonly openRebalancer: OpenRebalancer | undefined
  /** Aborts when the client is destroyed. */
  readonly destroyed: AbortSignal
}

type IndexRouting = (
  table: TableWithIndexes,
  ...asked: Parameters<NonNullable<QueriedTable['routeOfIndex']>>
) => ReturnType<NonNullable<QueriedTable['routeOfIndex']>>

/** One table of a client, put together once. Each operation knows of it what it needs. */
export class TableRuntime implements WrittenTable, QueriedTable, TableWithIndexes {
  readonly options: ParsedTable
  readonly client: PhysicalClient
  readonly clock: Clock
  readonly random: Random
  readonly emit: Emit
  readonly suffix: Suffix
  readonly placementKind: PlacementKind
  readonly indexes: TableWithIndexes['indexes']
  readonly views: ShardViews
  readonly heat: WriteHeat
  readonly meanItemBytes = new MeanItemBytes()
  readonly routeOfIndex: QueriedTable['routeOfIndex']
  readonly destroyed: AbortSignal
  readonly #scaling: TableScaling

  constructor(options: ParsedTable, surroundings: TableSurroundings) {
    const { client, clock, random, emit, routeOf, openRebalancer, openSharedStates, destroyed } = surroundings
    this.options = options
    this.client = client
    this.clock = clock
    this.random = random
    this.emit = emit
    this.suffix = new Suffix(options.name, options.delimiter, options.adopt)
    this.placementKind = placementKindOf(options)
    this.indexes = options.indexes
    this.destroyed = destroyed
    this.routeOfIndex = routeOf && ((input, index) => routeOf(this, input, index))
    const { shards, capacity } = options
    const opening = { shards, capacity, openRebalancer, openSharedStates, signal: destroyed }
    this.#scaling = new TableScaling(
      { options, client, clock, random, emit, suffix: this.suffix, placementKind: this.placementKind },
      opening,
    )
    this.views = this.#scaling.views
    this.heat = this.#scaling
  }

  /** The `top` hottest keys, as seen up to now. */
  hottest(top: number): TableHeat {
    return this.#scaling.hottest(top)
  }

  /** One key's shards, by hand; `undefined` where people choose one count for all keys. */
  shards(key: LogicalKey): KeyShards | undefined {
    return this.#scaling.byHand(key)
  }
}

import type { AttributeValue, QueryCommandInput, QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import type { KeyValue } from '@isotherm/semantics'
import type { ShardReader } from '../attempts/shard-reader.js'
import { missingPart } from '../errors/missing-part.js'
import type { KeyedTable } from '../keys/keyed-table.js'
import type { ShardView } from '../protocol/index.js'
import type { TakenCommand } from '../sdk/taken-command.js'
import type { CopyFilter } from './copy-filter.js'
import type { Cursor } from './cursor.js'
import type { MergeOrder } from './position.js'
import type { QueriedTable } from './queried-table.js'
import type { QuerySource } from './query-source.js'
import type { SortRange } from './sort-range.js'

/** What a query reads: the table or a replica of it, an index in several shards, or an index without shards. */
export type QueryRoute = ScatteredRoute | PlainRoute | InvertedRoute

/** A route that reads several shards. */
export type ScatteredRoute = TableRoute | CoveringRoute | ShardedIndexRoute

interface TableRoute {
  readonly kind: 'table'
  readonly replica: string | undefined
}

/** An index whose items may belong to many logical keys. */
interface IndexOfManyKeys {
  presented(table: KeyedTable, item: Record<string, AttributeValue>): Record<string, AttributeValue>
}

/** The source of a query in several shards, and the order in which results are merged. */
export interface MergedQuery {
  readonly source: QuerySource
  readonly order: MergeOrder
  readonly cursor: Cursor | undefined
}

/** The handling of sort keys that may be equal within one shard, as in an index. */
export interface EqualSortKeys {
  /** Whether an item is the last one of the previous page. */
  isCursorItem(table: KeyedTable, query: MergedQuery, item: Record<string, AttributeValue>): boolean
  copyFilter(source: QuerySource, partitionKey: string): CopyFilter
  /** The part of a range after one of its sort keys, or `undefined` when nothing is left. */
  rangeBehind(range: SortRange, sort: KeyValue, direction: 1 | -1): SortRange | undefined
}

/** An index whose start keys have the table's key. */
interface IndexWithTableKeys {
  /** Returns the input with a stored start key, if it has the logical key or lacks the shard. */
  withStoredStart(
    command: TakenCommand<QueriedTable>,
    input: QueryCommandInput,
  ): Promise<QueryCommandInput> | undefined
}

/** An index with the table's partition key. */
export interface CoveringRoute extends IndexWithTableKeys {
  readonly kind: 'covering'
  readonly name: string
  readonly sortKey: string
  readonly equalSortKeys: EqualSortKeys
}

/** An index whose own key is sharded. */
export interface ShardedIndexRoute extends IndexOfManyKeys, IndexWithTableKeys {
  readonly equalSortKeys: EqualSortKeys
  readonly kind: 'sharded'
  readonly partitionKey: string
  readonly sortKey: string | undefined
  /** The shards of a value. `atLeast` is a shard that a cursor names. */
  viewOf(table: KeyedTable, value: KeyValue, atLeast: number): ShardView | Promise<ShardView>
  sourceOf(table: KeyedTable, partition: KeyValue): QuerySource
}

/** An index that is queried unchanged. */
export interface PlainRoute extends IndexOfManyKeys, IndexWithTableKeys {
  readonly kind: 'plain'
}

/** A query of an inverted index. */
export interface InvertedRead {
  readonly table: QueriedTable
  readonly input: QueryCommandInput
  readonly reader: ShardReader
  /** The index's partition key: the table's sort key. */
  readonly hashAttribute: string
}

/** An index whose sort key is the table's partition key, and whose partition key is the table's sort key. */
export interface InvertedRoute extends IndexWithTableKeys {
  readonly kind: 'inverted'
  read(read: Omit<InvertedRead, 'hashAttribute'>): Promise<QueryCommandOutput>
}

export type RouteOfIndex = (input: QueryCommandInput, index: string) => QueryRoute

const TABLE: TableRoute = { kind: 'table', replica: undefined }

/** @throws IsothermError `part.missing`, `command.parameter-unsupported` */
export function routeOf(
  { options, routeOfIndex }: KeyedTable & { readonly routeOfIndex: RouteOfIndex | undefined },
  input: QueryCommandInput,
): QueryRoute {
  const { IndexName: index } = input
  if (index === undefined) return TABLE
  if (routeOfIndex === undefined) throw missingPart('indexes', 'Query with IndexName', options.name)
  return routeOfIndex(input, index)
}

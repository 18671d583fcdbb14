import fc, { type Arbitrary } from 'fast-check'
import { condition } from '../generators/conditions.js'
import { anyKey, key, keyValue } from '../generators/items.js'
import { keyQuestion } from '../generators/key-conditions.js'
import { malformed } from '../generators/malformed.js'
import { resolve, valuePool } from '../generators/placeholders.js'
import { projection } from '../generators/projections.js'
import { present, sometimes, weighted } from '../generators/weighted.js'
import { type IndexModel, keysOf, type TableModel } from '../model/table-model.js'
import { type Family, forTable, type Step } from './family.js'
import { returnConsumedCapacity, tableName } from './members.js'

const MALFORMED_PERCENT = 6

/** The table itself, one of its indexes, or rarely an index that it does not have. */
function readWhat(table: TableModel): Arbitrary<IndexModel | undefined> {
  const missing: IndexModel = { name: 'no-index', hash: table.hash, projection: 'ALL', kind: 'global' }
  const own = table.indexes.length === 0 ? fc.constant(undefined) : fc.constantFrom(...table.indexes)
  return weighted<IndexModel | undefined>([50, fc.constant(undefined)], [50, own], [1, fc.constant(missing)])
}

/** Most requests have no Select, because most of its values do not fit the rest. */
const select = sometimes(
  15,
  fc.constantFrom('COUNT', 'ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES', 'SPECIFIC_ATTRIBUTES', 'COUNT', 'x'),
)

function startKey(table: TableModel, index: IndexModel | undefined): Arbitrary<object> {
  if (index === undefined) return anyKey(table)
  const own = fc.record(Object.fromEntries(keysOf(index).map((each) => [each.name, keyValue(each)])))
  return weighted<object>(
    [8, fc.tuple(key(table), own).map(([base, entry]) => ({ ...base, ...entry }))],
    [1, key(table)],
    [1, own],
  )
}

function members(table: TableModel, index: IndexModel | undefined) {
  return {
    TableName: tableName(table.name),
    IndexName: fc.constant(index?.name),
    Select: select,
    ConsistentRead: sometimes(20, weighted([4, fc.constant(index?.kind !== 'global')], [1, fc.boolean()])),
    FilterExpression: sometimes(40, condition),
    ProjectionExpression: sometimes(25, projection),
    ReturnConsumedCapacity: returnConsumedCapacity,
  }
}

/** Query of tables and indexes with every form of key condition. */
export const QUERY: Family = {
  name: 'Query',
  operations: ['Query'],
  weight: 180,
  steps: forTable((table) =>
    readWhat(table).chain((index) => {
      const request = fc
        .tuple(
          fc.record({
            ...members(table, index),
            ScanIndexForward: sometimes(40, fc.boolean()),
            ExclusiveStartKey: sometimes(8, startKey(table, index)),
          }),
          sometimes(98, keyQuestion(index ?? table)),
          valuePool,
        )
        .chain(([rest, question, pool]) => {
          const texts = [question?.text, rest.FilterExpression, rest.ProjectionExpression]
          return resolve(texts, { ...pool, ...question?.values }).map((resolved) =>
            present({ ...rest, KeyConditionExpression: question?.text, ...resolved }),
          )
        })
      return paged('Query', request)
    }),
  ),
}

/** Scan of tables and indexes, also in segments. */
export const SCAN: Family = {
  name: 'Scan',
  operations: ['Scan'],
  weight: 90,
  steps: forTable((table) =>
    readWhat(table).chain((index) => {
      const request = fc
        .tuple(fc.record({ ...members(table, index), segments: sometimes(15, segments) }), valuePool)
        .chain(([{ segments: part, ...rest }, pool]) =>
          resolve([rest.FilterExpression, rest.ProjectionExpression], pool).map((resolved) =>
            present({ ...rest, ...part, ...resolved }),
          ),
        )
      return paged('Scan', request)
    }),
  ),
}

/**
 * Each side distributes items over segments in its own way: only the single segment that contains all is compared in
 * full.
 */
const segments: Arbitrary<object> = weighted<object>(
  [4, fc.constant({ Segment: 0, TotalSegments: 1 })],
  [
    1,
    fc.constantFrom(
      { Segment: 1, TotalSegments: 1 },
      { Segment: 5, TotalSegments: 4 },
      { Segment: -1, TotalSegments: 4 },
      { Segment: 0 },
      { TotalSegments: 2 },
      { Segment: 0, TotalSegments: 0 },
      { Segment: 0, TotalSegments: 1_000_001 },
      { Segment: 1_000_000, TotalSegments: 1_000_000 },
    ),
  ],
)

/** Whole results, or the same in pages of a few items. */
function paged(operation: string, request: Arbitrary<object>): Arbitrary<Step> {
  return weighted<Step>(
    [3, malformed(request, MALFORMED_PERCENT).map((each) => ({ operation, request: each }))],
    [
      2,
      fc
        .tuple(request, fc.integer({ min: 1, max: 6 }))
        .map(([each, Limit]) => ({ operation, request: { ...each, Limit }, pages: true as const })),
    ],
  )
}

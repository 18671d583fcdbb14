import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import {
  attributeType,
  emptyIndexKeyText,
  indexKeyTypeText,
  isEmptyKey,
  type KeyValue,
  type AttributeValue as Value,
} from '@isotherm/semantics'
import { keyValueOf } from '../keys/item-key.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import { TablesByName } from '../sdk/tables-by-name.js'
import { validationException } from '../sdk/validation-exception.js'
import { indexShard, ShadowKey, shardNumber } from './shadow-key.js'
import type { TableWithIndexes } from './table-with-indexes.js'

type Attributes = Readonly<Record<string, AttributeValue>>

/** The item of a write. */
export interface WrittenItem {
  readonly place: readonly KeyValue[]
  readonly operation: 'put' | 'update'
}

export type IndexedTables = TablesByName<IndexedTable>

/** A table with sharded indexes. The library adds shadow keys to its items, which applications never see. */
export class IndexedTable<Table extends TableWithIndexes = TableWithIndexes> {
  readonly runtime: Table
  readonly options: Table['options']
  readonly shadows: readonly ShadowKey[]
  /** The attributes of the table's own primary key. */
  readonly keys: readonly string[]

  constructor(runtime: Table) {
    const { options } = runtime
    const { partitionKey, sortKey } = options
    this.runtime = runtime
    this.options = options
    this.keys = sortKey === undefined ? [partitionKey] : [partitionKey, sortKey]
    // Indexes may share an attribute. An item gets it once.
    const sharded = [...runtime.indexes.values()].filter((index) => index.kind === 'sharded')
    const byAttribute = new Map(sharded.map((index) => [index.shard.attribute, index]))
    this.shadows = [...byAttribute.values()].map((index) => new ShadowKey(options, index))
  }

  /**
   * The values that determine an item's shards: its primary key.
   * @returns `undefined` for attributes without a complete key, which are rejected elsewhere
   */
  placeOf(attributes: Attributes | undefined): readonly KeyValue[] | undefined {
    const values = this.keys.map((key) => keyValueOf(attributes?.[key]))
    return values.every((value) => value !== undefined) ? values : undefined
  }

  /**
   * The attribute to add to the item for a value of the index's key.
   * @throws a `ValidationException` for a value that no index accepts as a key, which the service itself would not see
   */
  addedFor(shadow: ShadowKey, value: AttributeValue, { place, operation }: WrittenItem): AttributeValue {
    const shard = indexShard(place, shadow.index.shards.count())
    if (shadow.index.shard.in === 'attribute') return shardNumber(shard)
    return shadow.text(indexKeyValue(shadow, value, operation), shard)
  }

  /** The item without the added attributes. */
  withoutShadowKeys<Item extends Attributes>(item: Item): Item {
    const { hiddenAttributes } = this.options
    if (!hiddenAttributes.some((attribute) => Object.hasOwn(item, attribute))) return item
    const shown = Object.entries(item).filter(([attribute]) => !hiddenAttributes.includes(attribute))
    return Object.fromEntries(shown) as Item
  }
}

/** Throws the service's error for an invalid key value of an unsharded index. */
function indexKeyValue(
  { index: { name, partitionKey: attribute } }: ShadowKey,
  value: AttributeValue,
  operation: 'put' | 'update',
): KeyValue {
  const key = keyValueOf(value)
  const indexKey = { index: name, attribute }
  if (key === undefined) {
    throw validationException(indexKeyTypeText(indexKey, 'S', attributeType(value as Value)))
  }
  if (isEmptyKey(key)) throw validationException(emptyIndexKeyText(indexKey, key, operation))
  return key
}

/** The tables with sharded indexes, whether the tables themselves are sharded or not. */
export function indexedTables<Table extends TableWithIndexes>(
  client: PhysicalClient,
  tables: readonly Table[],
): TablesByName<IndexedTable<Table>> {
  const indexed = tables.map((table) => new IndexedTable(table))
  return new TablesByName(
    client,
    indexed.filter(({ shadows }) => shadows.length > 0),
  )
}

import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import {
  emptyIndexKeyText,
  type Item,
  indexKeyTypeText,
  isEmptyKey,
  itemBytes,
  type KeyValue,
  writeUnits,
} from '@isotherm/semantics'
import { IsothermError } from '../errors/isotherm-error.js'
import { keyValueOf } from '../keys/item-key.js'
import { namedType } from '../keys/named-type.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import { TablesByName } from '../sdk/tables-by-name.js'
import { validationException } from '../sdk/validation-exception.js'
import { INDEX_KEY_PREFIX, isIndexKey } from './index-key.js'
import { indexShard, ShadowKey, shardNumber } from './shadow-key.js'
import type { ShardChoice } from './shard-choice.js'
import type { TableWithIndexes } from './table-with-indexes.js'

type Attributes = Readonly<Record<string, AttributeValue>>

/** The item of a write. */
export interface WrittenItem {
  readonly place: readonly KeyValue[]
  readonly operation: 'put' | 'update'
  /** The item as far as the request shows it. */
  readonly attributes: Attributes | undefined
  /** The shards that the request chooses in dynamic indexes. */
  readonly choice: ShardChoice
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
   * @throws IsothermError `key.ambiguous` for a key that the shard map uses for an index
   */
  placeOf(attributes: Attributes | undefined): readonly KeyValue[] | undefined {
    const values = this.keys.map((key) => keyValueOf(attributes?.[key]))
    if (this.runtime.indexCounts.size > 0) this.#refuseIndexKey(attributes)
    return values.every((value) => value !== undefined) ? values : undefined
  }

  /**
   * The attribute to add to the item for a value of the index's key.
   * @param isCertain whether the item has the value after the write
   * @throws a `ValidationException` for a value that no index accepts as a key, which the service itself would not see
   */
  addedFor(shadow: ShadowKey, value: AttributeValue, item: WrittenItem, isCertain = true): AttributeValue {
    const { shards, shard } = shadow.index
    const { place, operation, attributes, choice } = item
    const counts = this.runtime.indexCounts.get(shard.attribute)
    if (counts === undefined) {
      const number = indexShard(place, shards.kind === 'fixed' ? shards.count() : shards.initial)
      if (shard.in === 'attribute') return shardNumber(number)
      return shadow.text(indexKeyValue(shadow, value, operation), number)
    }
    const key = indexKeyValue(shadow, value, operation)
    const units = unitsOf(attributes)
    return choice.chosen(counts, key, { shadow, place, units, isCertain }, (number) =>
      shard.in === 'attribute' ? shardNumber(number) : shadow.text(key, number),
    )
  }

  /**
   * The attribute that a write of the application adds. The value needs room in every shard that it has from the beginning, unlike that
   * of a stored item.
   * @throws as `addedFor`; IsothermError `key.too-long`
   */
  addedByWrite(
    shadow: ShadowKey,
    value: AttributeValue,
    item: WrittenItem,
    isCertain = true,
  ): AttributeValue {
    const added = this.addedFor(shadow, value, item, isCertain)
    const key = keyValueOf(value)
    if (key === undefined) return added
    shadow.requireRoom(key)
    const { name } = shadow.index
    const check = this.runtime.indexChecks.get(name)
    if (check !== undefined) {
      const of = `${this.options.name}/${name}/${JSON.stringify(key)}`
      item.choice.compare(of, () => check.beforeEntry(key))
    }
    return added
  }

  /** Compares the options of an index before an item without its attribute is put. */
  compareBeside({ index: { name } }: ShadowKey, choice: ShardChoice): void {
    const check = this.runtime.indexChecks.get(name)
    if (check !== undefined) choice.compare(`${this.options.name}/${name}`, () => check.besideIndex())
  }

  /** The shard map would have one item for both. In a table that is not sharded itself, it has items for indexes only. */
  #refuseIndexKey(attributes: Attributes | undefined): void {
    const { name, partitionKey, suffix } = this.options
    const key = attributes?.[partitionKey]
    if (suffix === 'none' || key === undefined || !isIndexKey(key)) return
    const logicalKey = key.S ?? key.B ?? ''
    throw new IsothermError(
      'key.ambiguous',
      `A partition key of ${name} begins with ${INDEX_KEY_PREFIX}, as the keys do under which its shard map has the counts of indexes. ` +
        'Choose another key, or give the indexes fixedShards(n).',
      { table: name, logicalKey },
    )
  }

  /** The item without the added attributes. */
  withoutShadowKeys<Item extends Attributes>(item: Item): Item {
    const { hiddenAttributes } = this.options
    if (!hiddenAttributes.some((attribute) => Object.hasOwn(item, attribute))) return item
    const shown = Object.entries(item).filter(([attribute]) => !hiddenAttributes.includes(attribute))
    return Object.fromEntries(shown) as Item
  }
}

/** The write units of an index entry with all attributes, or 1 for an invalid item, which the service will reject. */
function unitsOf(attributes: Attributes | undefined): number {
  try {
    return writeUnits(itemBytes(attributes as unknown as Item))
  } catch {
    return 1
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
    throw validationException(indexKeyTypeText(indexKey, 'S', namedType(value)))
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

import {
  type AttributeType,
  attributeBytes,
  attributeType,
  type Item,
  itemBytes,
  utf8Length,
  writeUnits,
} from '@isotherm/semantics'
import { keyNames } from '../table/all-keys.js'
import type { TableDefinition } from '../table/table-definition.js'
import { type ValueCount, ValueCounts } from './value-counts.js'

/** What a sample says about one attribute. */
export interface AttributeFigures {
  /** How many items have the attribute. */
  items: number
  /** Bytes of all values with the name. */
  bytes: number
  maxBytes: number
  readonly types: Map<AttributeType, number>
}

/** More attributes than items usually have. The rest is only part of the totals. */
const MAX_ATTRIBUTES = 2_000

/**
 * Figures of a sample of items: sizes, attributes, and how often each value of a key attribute occurs. It does not keep
 * the items.
 */
export class ItemSample {
  items = 0
  bytes = 0
  nameBytes = 0
  maxItemBytes = 0
  /** How many items need each number of write units. */
  readonly writeUnits = new Map<number, number>()
  readonly attributes = new Map<string, AttributeFigures>()
  /** The values of key attributes and of time to live. */
  readonly #values = new Map<string, ValueCounts>()

  /**
   * @example
   * const [table] = readTables('{"TableName":"t","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}', 't.json')
   * if (table !== undefined) console.log(new ItemSample(table, [{ pk: { S: 'a' } }]).items) // 1
   */
  constructor(table: TableDefinition, items: Iterable<Item>) {
    const names = keyNames(table)
    if (table.timeToLive !== undefined) this.#values.set(table.timeToLive, new ValueCounts())
    for (const name of names) this.#values.set(name, new ValueCounts())
    for (const item of items) this.#add(item)
  }

  get meanItemBytes(): number {
    return this.items === 0 ? 0 : this.bytes / this.items
  }

  /** The values of an attribute that is part of a key, or of time to live, the most frequent first. */
  mostFrequent(attribute: string, count: number): readonly ValueCount[] {
    return this.#values.get(attribute)?.top(count) ?? []
  }

  /** How many items have the attribute. */
  itemsWith(attribute: string): number {
    return this.attributes.get(attribute)?.items ?? 0
  }

  /** How many different values the attribute has in the sample. */
  distinct(attribute: string): number {
    return this.#values.get(attribute)?.distinct ?? 0
  }

  #add(item: Item): void {
    const bytes = itemBytes(item)
    this.items++
    this.bytes += bytes
    this.maxItemBytes = Math.max(this.maxItemBytes, bytes)
    const units = writeUnits(bytes)
    this.writeUnits.set(units, (this.writeUnits.get(units) ?? 0) + 1)
    for (const [name, value] of Object.entries(item)) {
      const own = attributeBytes(name, value)
      this.nameBytes += utf8Length(name)
      this.#values.get(name)?.add(value, bytes)
      const figures = this.#figuresOf(name)
      if (figures === undefined) continue
      figures.items++
      figures.bytes += own
      figures.maxBytes = Math.max(figures.maxBytes, own)
      const type = attributeType(value)
      figures.types.set(type, (figures.types.get(type) ?? 0) + 1)
    }
  }

  #figuresOf(name: string): AttributeFigures | undefined {
    const known = this.attributes.get(name)
    if (known !== undefined || this.attributes.size >= MAX_ATTRIBUTES) return known
    const made: AttributeFigures = { items: 0, bytes: 0, maxBytes: 0, types: new Map() }
    this.attributes.set(name, made)
    return made
  }
}

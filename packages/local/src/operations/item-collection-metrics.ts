import { type Item, pickAttributes } from '@isotherm/semantics'
import type { ItemWrite } from '../table/item-write.js'
import type { Table } from '../table/table.js'

export type ReturnItemCollectionMetrics = 'SIZE' | 'NONE'

/**
 * The size of the item's collection, in the form of responses. Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ItemCollectionMetrics.html
 */
export interface ItemCollectionMetrics {
  readonly ItemCollectionKey: Item
  /** The bounds of an estimate, in gigabytes. */
  readonly SizeEstimateRangeGB: readonly [number, number]
}

/** The metrics of a written item's collection. Only tables with local indexes have them. */
export function itemCollectionMetrics(
  table: Table,
  wanted: ReturnItemCollectionMetrics | undefined,
  { before, after }: ItemWrite,
): ItemCollectionMetrics | undefined {
  const item = (after ?? before)?.item
  if (wanted !== 'SIZE' || table.collections === undefined || item === undefined) return undefined
  const { least, most } = table.collections.estimate(table.encodeCollection(item))
  const key = pickAttributes(
    item,
    table.definition.schema.hash.map(({ name }) => name),
  )
  return { ItemCollectionKey: key, SizeEstimateRangeGB: [gigabytes(least), gigabytes(most) + 1] }
}

function gigabytes(bytes: number): number {
  return Math.floor(bytes / 1024 ** 3)
}

import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { SuffixableKey } from '../../keys/key.js'
import type { CountedTable } from './counted-table.js'

/**
 * Refuses items of a request that needed no count, if the options of this process are not those that the table was written with: their
 * logical keys would be wrong.
 *
 * @param items with stored keys
 * @throws IsothermError `card.differs`, `items.elsewhere`
 */
export function checkStored(
  { options, suffix, views }: CountedTable,
  items: readonly Readonly<Record<string, AttributeValue>>[],
): Promise<unknown> | undefined {
  if (options.suffix === 'none') return undefined
  const stored = items.map((item) => item[options.partitionKey]).find((key) => key?.S ?? key?.B)
  if (stored === undefined) return undefined
  const logical = suffix.strip(stored as SuffixableKey)?.logical
  // A key without a suffix may not be there with these options at all. The card says so.
  return views.checkTable(logical ?? (stored as SuffixableKey as never))
}

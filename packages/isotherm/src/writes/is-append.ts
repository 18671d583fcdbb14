import type { KeyedTable } from '../keys/keyed-table.js'
import type { ItemWrite } from '../sdk/item-write.js'

/** Whether the write neither returns the old item nor depends on it. */
export function isAppend(
  { placementKind }: KeyedTable,
  write: ItemWrite,
): write is Extract<ItemWrite, { readonly operation: 'PutItem' }> {
  return (
    placementKind === 'random' &&
    write.operation === 'PutItem' &&
    write.input.ConditionExpression === undefined &&
    (write.input.ReturnValues ?? 'NONE') === 'NONE'
  )
}

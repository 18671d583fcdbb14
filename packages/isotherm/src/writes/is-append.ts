import type { TableRuntime } from '../client/table-runtime.js'
import type { ItemWrite } from '../sdk/item-write.js'

/** Whether the write neither asks for what was there before nor depends on it. */
export function isAppend(
  { placementKind }: TableRuntime,
  write: ItemWrite,
): write is Extract<ItemWrite, { readonly operation: 'PutItem' }> {
  return (
    placementKind === 'random' &&
    write.operation === 'PutItem' &&
    write.input.ConditionExpression === undefined &&
    (write.input.ReturnValues ?? 'NONE') === 'NONE'
  )
}

import type { PutItemCommandInput } from '@aws-sdk/client-dynamodb'
import { missingPart } from '../errors/missing-part.js'
import { refuseLegacy } from '../errors/refuse.js'
import { readItemKey } from '../keys/item-key.js'
import { LEGACY_OF_ITEMS, refuseOwnMembers } from '../reads/require-supported.js'
import type { ItemWriteOutput } from '../sdk/item-write.js'
import { contextOf } from '../sdk/request-context.js'
import type { TakenCommand } from '../sdk/taken-command.js'
import { inServiceWords } from '../sdk/validation-exception.js'
import { appendItem } from './append-item.js'
import { isAppend } from './is-append.js'
import type { WrittenTable } from './written-table.js'

/**
 * Handles the puts of a client that cannot search for items.
 * @throws IsothermError `part.missing` for a put that depends on the existing item; `key.*`,
 * `command.parameter-unsupported`; the SDK's own errors
 */
export async function appendAlone({
  table,
  request,
  options,
}: TakenCommand<WrittenTable>): Promise<ItemWriteOutput> {
  const input = request.input as unknown as PutItemCommandInput
  refuseLegacy(table.options.name, 'PutItem', input, LEGACY_OF_ITEMS)
  if (!isAppend(table, { operation: 'PutItem', input })) {
    const use =
      table.placementKind === 'random'
        ? 'PutItem with a condition or a return value'
        : 'PutItem with a calculated suffix'
    throw missingPart('items', use, table.options.name)
  }
  const item = input.Item ?? {}
  refuseOwnMembers(table, 'PutItem', item)
  const { logical } = inServiceWords(() => readItemKey(table.options, item))
  return appendItem(table, input, logical, contextOf(request, options))
}

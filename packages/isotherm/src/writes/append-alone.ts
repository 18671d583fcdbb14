import type { PutItemCommandInput } from '@aws-sdk/client-dynamodb'
import { missingPart } from '../errors/missing-part.js'
import type { TakenCommand } from '../parts/part.js'
import { inServiceWords } from '../queries/validation-exception.js'
import type { ItemWrite, ItemWriteOutput } from '../sdk/item-write.js'
import { contextOf } from '../sdk/request-context.js'
import { appendItem } from './append-item.js'
import { checkedKey } from './checked-key.js'
import { isAppend } from './is-append.js'

/**
 * A put of a client that has to look for no item, and cannot.
 * @throws IsothermError `part.missing` for a put that depends on what is there; `key.*`, `command.parameter-unsupported`; the
 * SDK's own errors
 */
export async function appendAlone({ table, request, options }: TakenCommand): Promise<ItemWriteOutput> {
  const input = request.input as unknown as PutItemCommandInput
  const write: ItemWrite = { operation: 'PutItem', input }
  const { logical } = inServiceWords(() => checkedKey(table, write))
  if (!isAppend(table, write)) {
    const use =
      table.placementKind === 'random'
        ? 'PutItem with a condition or a return value'
        : 'PutItem with a calculated suffix'
    throw missingPart('items', use, table.options.name)
  }
  return appendItem(table, input, logical, contextOf(request, options))
}

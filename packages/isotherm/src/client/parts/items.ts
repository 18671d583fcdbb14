import type { GetItemCommandInput } from '@aws-sdk/client-dynamodb'
import { readItem } from '../../reads/read-item.js'
import type { ItemWrite } from '../../sdk/item-write.js'
import { contextOf } from '../../sdk/request-context.js'
import { writeItem } from '../../writes/write-item.js'
import type { CommandHandler, Part } from './part.js'

/**
 * Single items: `GetItem`, `PutItem`, `UpdateItem` and `DeleteItem`, with conditions and return values, on tables with either
 * suffix. It does what `appends` does, too.
 *
 * @example isotherm(client, { parts: [items, queries], tables: { orders: { ..., suffix: calculated(), shards: fixedShards(10) } } })
 */
export const items: Part = {
  name: 'items',
  commands: {
    PutItem: writing('PutItem'),
    UpdateItem: writing('UpdateItem'),
    DeleteItem: writing('DeleteItem'),
    GetItem: ({ table, request, options }) =>
      readItem(table, request.input as unknown as GetItemCommandInput, contextOf(request, options)),
  },
}

function writing(operation: ItemWrite['operation']): CommandHandler {
  return ({ table, request, options }) =>
    writeItem(table, { operation, input: request.input } as unknown as ItemWrite, contextOf(request, options))
}

import {
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  type TransactWriteItemsCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { presentedMetrics } from '../keys/presented-item.js'
import type { TablesByName } from '../sdk/tables-by-name.js'
import type { TakenCommand } from '../sdk/taken-command.js'
import type { WrittenTable } from '../writes/written-table.js'
import { finishMoves } from './finish-moves.js'
import { placeMembers } from './place-members.js'
import { requireFewActions } from './require-few-actions.js'
import { isSharded, readMembers } from './transact-member.js'
import { TransactionCall } from './transaction-call.js'

/**
 * Carries out the transaction on the shards of its items: all of it or nothing, whatever the number of shards is doing.
 *
 * Each member goes to where its item is. Where an item has two possible places and is at neither, it is created at one
 * under a check of the other, which takes an action more. If it turns out that an item is no longer where it was found, the
 * transaction has been cancelled, and is placed anew.
 *
 * With a `ClientRequestToken` of the application nothing is ever carried out twice. But a repetition is the same request
 * for the service only as long as its items are in the same places. Otherwise it is refused as another request under a token
 * that was used.
 *
 * @throws IsothermError `transaction.too-large`, `key.*`, `command.parameter-unsupported`; the SDK's own errors, with a
 * reason for each of the application's members
 */
export async function transactWriteItems({
  tables,
  request,
  options,
}: TakenCommand<WrittenTable>): Promise<TransactWriteItemsCommandOutput> {
  const input = request.input as unknown as TransactWriteItemsCommandInput
  const given = input.TransactItems ?? []
  requireFewActions('TransactWriteItems', given.length, given.length)
  const members = readMembers(tables, given)
  // Named in a member that is none: the service shall say what is wrong with it.
  if (!members.some(isSharded)) return tables.client.send(new TransactWriteItemsCommand(input), options)
  const call = new TransactionCall(tables, members, input, request, options)
  const output = await call.decided(async () => {
    let placed = await placeMembers(members, call.together)
    while (placed.kind === 'unprocessed') {
      await call.waitForCapacity()
      placed = await placeMembers(members, call.together)
    }
    if (placed.kind === 'moving') return finishMoves(placed.items, call.context)
    requireFewActions('TransactWriteItems', members.length, placed.actions.length)
    const outcome = await call.send(placed.actions, placed.validUntil)
    return outcome.kind === 'moving' ? finishMoves(outcome.items, call.context) : outcome
  })
  return presented(tables, call.summed(output))
}

function presented(
  tables: TablesByName<WrittenTable>,
  output: TransactWriteItemsCommandOutput,
): TransactWriteItemsCommandOutput {
  const { ItemCollectionMetrics: metrics } = output
  if (metrics === undefined) return output
  const shown = Object.entries(metrics).map(([tableName, entries]) => {
    const table = tables.of(tableName)
    return [tableName, table === undefined ? entries : entries.map((entry) => presentedMetrics(table, entry))]
  })
  return { ...output, ItemCollectionMetrics: Object.fromEntries(shown) }
}

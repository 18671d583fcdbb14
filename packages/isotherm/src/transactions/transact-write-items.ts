import {
  TransactWriteItemsCommand,
  type TransactWriteItemsCommandInput,
  type TransactWriteItemsCommandOutput,
} from '@aws-sdk/client-dynamodb'
import { CHANGED } from '../attempts/outcome.js'
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
 * Executes the transaction on the shards of its items, all or nothing, while shard counts may change.
 *
 * Each member goes to the shard of its item. An item that has two possible shards and is in neither is created in one,
 * with a check of the other, which takes an additional action. If these are too many, the transaction waits until creations
 * need no check. If an item is no longer where it was found, the
 * transaction was cancelled, and its items are searched again.
 *
 * With a `ClientRequestToken` of the application, nothing is executed twice. But for the service, a repetition is the
 * same request only if its items are in the same shards. Otherwise it is rejected as a different request with a used
 * token.
 *
 * @throws IsothermError `transaction.too-large`, `key.*`, `command.parameter-unsupported`, and the SDK's own errors,
 * with a reason for each of the application's members
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
  // The sharded table is named in an invalid member, for which the service should report the error.
  if (!members.some(isSharded)) return tables.client.send(new TransactWriteItemsCommand(input), options)
  const call = new TransactionCall(tables, members, input, request, options)
  const output = await call.decided(async () => {
    let placed = await placeMembers(members, call.together)
    while (placed.kind === 'unprocessed') {
      await call.waitForCapacity()
      placed = await placeMembers(members, call.together)
    }
    if (placed.kind === 'moving') return finishMoves(placed.items, call.context)
    if (await call.creationWait.shortens(placed.actions)) return CHANGED
    const { waitedMilliseconds } = call.creationWait
    requireFewActions('TransactWriteItems', members.length, placed.actions.length, waitedMilliseconds)
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

import { PutItemCommand, type PutItemCommandInput, type PutItemCommandOutput } from '@aws-sdk/client-dynamodb'
import { AttemptBudget } from '../attempts/attempt-budget.js'
import { type Course, sendUntilAnswered } from '../attempts/attempt-loop.js'
import type { LogicalKey } from '../keys/key.js'
import type { ItemWriteOutput } from '../sdk/item-write.js'
import type { RequestContext } from '../sdk/request-context.js'
import { putUnits } from './item-units.js'
import { presentedOutput } from './presented-output.js'
import { ShardWalk } from './shard-walk.js'
import type { WrittenTable } from './written-table.js'

/**
 * Puts the item into a random shard of its key. If the shard's partition throttles, another shard is tried at once, and
 * then more with growing delays, up to the table's `maxAttempts` or `retryDeadline`.
 *
 * @throws the SDK's own error: of the last throttled attempt, or of an attempt without a response if there was one; any
 * other error is thrown at once
 */
export async function appendItem(
  table: WrittenTable,
  input: PutItemCommandInput,
  key: LogicalKey,
  context: RequestContext,
): Promise<ItemWriteOutput> {
  const units = putUnits(input)
  table.heat.offered(key, units)
  const view = table.views.forWrite(key)
  const budget = new AttemptBudget(table, context.options?.abortSignal)
  // Not awaited when it is cached, because a microtask for each write would be a tenth of its cost.
  const walk = new ShardWalk(table, key, view instanceof Promise ? await view : view, budget)
  const course: Course = {
    budget,
    next() {
      const { shard, view } = walk
      const command = new PutItemCommand({
        ...input,
        Item: { ...input.Item, [table.options.partitionKey]: { ...table.suffix.add(key, shard) } },
      })
      context.carryMiddleware(command)
      return { command, clock: table.clock, validUntil: view.validUntil, log: budget }
    },
    onThrottle: (reasons, attempt) =>
      table.heat.throttled({ key, shard: walk.shard, attempt, units, reasons }),
    beforeNext: (error, scope) => walk.next(error, scope),
  }
  for (;;) {
    const outcome = await sendUntilAnswered<PutItemCommandOutput>(table.client, context.options, course)
    if ('error' in outcome) throw outcome.error
    if (outcome.kind === 'answered') {
      const { output } = outcome
      table.heat.accepted(key, units)
      if (output.$metadata.attempts !== budget.metadata.attempts) output.$metadata = budget.metadata.total()
      return presentedOutput(table, key, output)
    }
    budget.requireNewView(table.options)
    await walk.lookAgain()
  }
}

import { PutItemCommand, type PutItemCommandInput } from '@aws-sdk/client-dynamodb'
import { AttemptBudget } from '../attempts/attempt-budget.js'
import { guardAttempts, StaleView, ThrottledAttempt } from '../attempts/attempt-guard.js'
import { type AttemptMetadata, attemptsOf } from '../attempts/attempt-metadata.js'
import type { LogicalKey } from '../keys/key.js'
import type { ItemWriteOutput } from '../sdk/item-write.js'
import type { RequestContext } from '../sdk/request-context.js'
import { putUnits } from './item-units.js'
import { presentedOutput } from './presented-output.js'
import { ShardWalk } from './shard-walk.js'
import type { WrittenTable } from './written-table.js'

/**
 * Puts the item into a random shard of its key; when its partition refuses, into another one at once, and then with
 * growing waits, until the table's `maxAttempts` or `retryDeadline`.
 *
 * @throws the SDK's own error: of the last attempt if it was throttled, and of one without an answer if there was one; or at once
 * what is no throttle
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
  // Not awaited where it is known: a tick for each write would be a tenth of its cost.
  const walk = new ShardWalk(table, key, view instanceof Promise ? await view : view, budget)
  for (;;) {
    const { shard, view } = walk
    try {
      const command = new PutItemCommand({
        ...input,
        Item: { ...input.Item, [table.options.partitionKey]: { ...table.suffix.add(key, shard) } },
      })
      context.carryMiddleware(command)
      guardAttempts(command, { clock: table.clock, validUntil: view.validUntil }, budget.log)
      const output = await table.client.send(command, context.options)
      table.heat.accepted(key, units)
      if (budget.attempts > 0) addEarlier(output.$metadata, budget)
      return presentedOutput(table, key, output)
    } catch (error) {
      if (error instanceof StaleView) {
        // The attempt that was stopped is counted with those before it, and was not sent.
        budget.attempts += attemptsOf(error) - 1
        budget.requireNewView()
        await walk.lookAgain()
        continue
      }
      if (!(error instanceof ThrottledAttempt)) throw error
      const { throttle } = error
      budget.attempts += attemptsOf(error)
      const attempt = budget.refuse(attemptsOf(error))
      const scope = await table.heat.throttled({ key, shard, attempt, units, throttle })
      budget.requireMore(throttle.error)
      await walk.next(scope, throttle.error)
    }
  }
}

function addEarlier(metadata: AttemptMetadata, { attempts, waitedMilliseconds }: AttemptBudget): void {
  metadata.attempts = (metadata.attempts ?? 1) + attempts
  metadata.totalRetryDelay = (metadata.totalRetryDelay ?? 0) + waitedMilliseconds
}

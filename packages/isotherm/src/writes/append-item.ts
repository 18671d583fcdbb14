import {
  type AttributeValue,
  PutItemCommand,
  type PutItemCommandInput,
  type PutItemCommandOutput,
} from '@aws-sdk/client-dynamodb'
import type { KeyValue } from '@isotherm/semantics'
import { AttemptBudget } from '../attempts/attempt-budget.js'
import type { ShardRequest } from '../attempts/attempt-guard.js'
import { type Course, sendUntilAnswered } from '../attempts/attempt-loop.js'
import type { Outcome } from '../attempts/outcome.js'
import type { ThrottleScope } from '../events/event.js'
import { keyValueOf } from '../keys/item-key.js'
import type { LogicalKey, SuffixableKey } from '../keys/key.js'
import type { ShardView } from '../protocol/index.js'
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
export function appendItem(
  table: WrittenTable,
  input: PutItemCommandInput,
  key: LogicalKey,
  context: RequestContext,
): Promise<ItemWriteOutput> {
  const units = putUnits(input)
  table.heat.offered(key, units)
  const view = table.views.forWrite(key)
  const append = (known: ShardView) => new Append({ table, input, key, context, units }, known).send()
  return view instanceof Promise ? view.then(append) : append(view)
}

interface AppendedItem {
  readonly table: WrittenTable
  readonly input: PutItemCommandInput
  readonly key: LogicalKey
  readonly context: RequestContext
  readonly units: number
}

/** One put on its way through the shards. */
class Append implements Course {
  readonly budget: AttemptBudget
  readonly #item: AppendedItem
  readonly #walk: ShardWalk

  constructor(item: AppendedItem, view: ShardView) {
    const { table, key, context } = item
    this.#item = item
    this.budget = new AttemptBudget(table, context.options?.abortSignal)
    this.#walk = new ShardWalk(table, key, view, this.budget)
  }

  send(): Promise<ItemWriteOutput> {
    const { table, context } = this.#item
    return sendUntilAnswered<PutItemCommandOutput>(table.client, context.options, this).then((outcome) =>
      outcome.kind === 'answered' ? this.#answered(outcome.output) : this.#unlessFailed(outcome),
    )
  }

  next(): ShardRequest {
    const { table, input, key, context } = this.#item
    const { shard, view } = this.#walk
    const stored: SuffixableKey = table.suffix.add(key, shard)
    const Item = { ...input.Item, [table.options.partitionKey]: stored as AttributeValue }
    const command = new PutItemCommand({ ...input, Item })
    context.carryMiddleware(command)
    const { lateRequestMilliseconds: lateMilliseconds } = table.options
    return { command, clock: table.clock, validUntil: view.validUntil, lateMilliseconds, log: this.budget }
  }

  onThrottle(reasons: readonly string[], attempt: number): Promise<ThrottleScope> {
    const { table, input, key, units } = this.#item
    const item = sortOf(table, input)
    return table.heat.throttled({ key, shard: this.#walk.shard, attempt, units, item, reasons })
  }

  beforeNext(error: Error, scope: ThrottleScope | undefined): Promise<Error | undefined> {
    return this.#walk.next(error, scope)
  }

  #answered(output: PutItemCommandOutput): ItemWriteOutput {
    const { table, key, units } = this.#item
    const { metadata } = this.budget
    table.heat.accepted(key, units)
    this.#walk.accepted()
    if (output.$metadata.attempts !== metadata.attempts) output.$metadata = metadata.total()
    return presentedOutput(table, key, output)
  }

  /** Sends the put again if its view of the shard map had expired. */
  async #unlessFailed(outcome: Outcome<PutItemCommandOutput>): Promise<ItemWriteOutput> {
    if ('error' in outcome) throw outcome.error
    this.budget.requireNewView(this.#item.table.options)
    await this.#walk.lookAgain()
    return this.send()
  }
}

function sortOf({ options: { sortKey } }: WrittenTable, { Item }: PutItemCommandInput): KeyValue | undefined {
  return sortKey === undefined ? undefined : keyValueOf(Item?.[sortKey])
}

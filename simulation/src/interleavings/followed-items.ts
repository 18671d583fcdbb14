import { ItemHistory, type ItemOperation } from '../invariants/item-history.js'
import { mayHaveBeenDone } from '../workloads/expected-error.js'
import type { Process } from '../world/process.js'
import { effectsOf, type ItemEffect, REFUSED, readOperation, stateOf } from './item-effects.js'
import { pageRange } from './page-range.js'
import { contentOf, type KeyedTable } from './paths.js'
import type { Stage } from './stage.js'
import type { StageSettings } from './stage-settings.js'
import type { Attributes } from './values.js'

type Output = Record<string, unknown>

interface FollowedItem {
  readonly table: KeyedTable
  readonly key: Attributes
  readonly history: ItemHistory
}

interface Call {
  readonly item: FollowedItem
  readonly operation: ItemOperation
}

/** Every item of a script must behave as if one operation came after the other. */
export class FollowedItems {
  readonly #stage: Stage
  readonly #settings: StageSettings
  readonly #tables: ReadonlyMap<string, KeyedTable>
  readonly #items = new Map<string, FollowedItem>()

  constructor(stage: Stage, settings: StageSettings, tables: ReadonlyMap<string, KeyedTable>) {
    this.#stage = stage
    this.#settings = settings
    this.#tables = tables
  }

  /** The service itself has stored it, under the stored key that is given. */
  stored(operation: string, input: object, logicalKey: (stored: string) => string): void {
    for (const { table, key, operation: own } of effectsOf(
      'service',
      operation,
      input as Output,
      this.#tables,
    )) {
      const logical = { ...key, [table.partitionKey]: { S: logicalKey(contentOf(key[table.partitionKey])) } }
      const { history } = this.#itemOf(table, logical)
      history.called(own)
      history.answered(own, 'done')
    }
  }

  async sent(
    process: Process,
    operation: string,
    input: object,
    send: () => Promise<Output>,
  ): Promise<Output> {
    if (operation === 'Query') return this.#queried(process, input as Output, send)
    const effects = effectsOf(process.name, operation, input as Output, this.#tables)
    const calls = effects.map((effect) => ({
      item: this.#itemOf(effect.table, effect.key),
      operation: effect.operation,
      effect,
    }))
    return this.#followed(
      process,
      calls,
      send,
      (output) => {
        for (const { item, operation: own, effect } of calls) this.#answered(item, own, effect.answer(output))
      },
      (error) => this.#refusedBy(error, calls),
    )
  }

  async #queried(process: Process, input: Output, send: () => Promise<Output>): Promise<Output> {
    const table = this.#tables.get(String(input.TableName))
    if (table === undefined || input.ConsistentRead !== true || input.IndexName !== undefined) return send()
    // Which of them the page says something about is known when it is there.
    const calls = [...this.#items.values()]
      .filter((item) => item.table === table)
      .map((item) => ({ item, operation: readOperation(`${process.name}, who queries,`) }))
    return this.#followed(process, calls, send, (output) => {
      const range = pageRange(table, input, output)
      for (const { item, operation } of calls) {
        const sort = item.key[table.sortKey]
        const isOfKey = contentOf(item.key[table.partitionKey]) === range?.partition
        if (range === undefined || !isOfKey || sort === undefined || !range.covers(sort)) {
          item.history.refused(operation)
          continue
        }
        const given = (output.Items as readonly Attributes[]).find(
          (each) => contentOf(each[table.sortKey]) === contentOf(sort),
        )
        item.history.answered(operation, `is ${stateOf(table, given)}`)
      }
    })
  }

  async #followed(
    process: Process,
    calls: readonly Call[],
    send: () => Promise<Output>,
    onAnswer: (output: Output) => void,
    isRefusal: (error: unknown) => boolean = () => false,
  ): Promise<Output> {
    for (const { item, operation } of calls) item.history.called(operation)
    const forget = () => this.#forgetLater(calls)
    process.whenCrashed(forget)
    try {
      const output = await send()
      this.#check(() => onAnswer(output))
      return output
    } catch (error) {
      if (isRefusal(error)) throw error
      const retries = this.#settings.attempts > 1
      if (isExpected(error, retries)) forget()
      else this.#each(calls, ({ history }, operation) => history.refused(operation))
      throw error
    } finally {
      process.notWhenCrashed(forget)
    }
  }

  #answered({ history }: FollowedItem, operation: ItemOperation, answer: string | undefined): void {
    if (answer === undefined) history.refused(operation)
    else history.answered(operation, answer)
  }

  /** A condition that did not hold says something of the item that it is about. */
  #refusedBy(error: unknown, calls: readonly (Call & { readonly effect: ItemEffect })[]): boolean {
    if (!(error instanceof Error)) return false
    if (error.name === 'ConditionalCheckFailedException') {
      this.#each(calls, ({ history }, operation) => history.answered(operation, REFUSED))
      return true
    }
    if (error.name !== 'TransactionCanceledException') return false
    const { CancellationReasons: reasons = [] } = error as {
      readonly CancellationReasons?: readonly { readonly Code?: string }[]
    }
    this.#check(() => {
      for (const [index, { item, operation }] of calls.entries()) {
        const isRefused = reasons[index]?.Code === 'ConditionalCheckFailed'
        this.#answered(item, operation, isRefused ? REFUSED : undefined)
      }
    })
    return true
  }

  /** Its last attempt may still be on its way; afterwards it cannot happen any more. */
  #forgetLater(calls: readonly Call[]): void {
    this.#each(calls, ({ history }, operation) => history.unanswered(operation))
    this.#stage.scheduler.after(this.#settings.latestMilliseconds + 1, () =>
      this.#each(calls, ({ history }, operation) => history.neverAnswered(operation)),
    )
  }

  #itemOf(table: KeyedTable, key: Attributes): FollowedItem {
    const about = [key[table.partitionKey], key[table.sortKey]].map(contentOf)
    const name = JSON.stringify([table.name, ...about])
    const known = this.#items.get(name)
    if (known !== undefined) return known
    const item = { table, key, history: new ItemHistory(about) }
    this.#items.set(name, item)
    return item
  }

  #each(calls: readonly Call[], tell: (item: FollowedItem, operation: ItemOperation) => void): void {
    this.#check(() => {
      for (const { item, operation } of calls) tell(item, operation)
    })
  }

  #check(check: () => void): void {
    try {
      check()
    } catch (error) {
      this.#stage.guard(error)
    }
  }
}

/** Whether the call may have been carried out all the same. An error that nobody expects says nothing, as well. */
function isExpected(error: unknown, retries: boolean): boolean {
  try {
    return mayHaveBeenDone(error, { retries })
  } catch {
    return true
  }
}

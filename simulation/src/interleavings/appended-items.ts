import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { compareKeyValues, type KeyValue } from '@isotherm/semantics'
import { mayHaveBeenDone } from '../workloads/expected-error.js'
import { Violation } from '../world/violation.js'
import { namedIn } from './named-in.js'
import { pageRange } from './page-range.js'
import { contentOf, type KeyedTable } from './paths.js'
import type { Stage } from './stage.js'
import type { StageSettings } from './stage-settings.js'
import type { Attributes } from './values.js'

type Output = Record<string, unknown>

interface Append {
  readonly sort: AttributeValue
  acknowledgedAt: number
  /** How many copies there may be: each attempt that may have succeeded makes one. */
  copies: number
  /** Whether anything else was done to it: then it is no append any more. */
  isChanged: boolean
}

/** Every item that was appended to a key with a random suffix is read by each later query, once, and in order. */
export class AppendedItems {
  readonly #stage: Stage
  readonly #settings: StageSettings
  /** Those with a random suffix. */
  readonly #tables: ReadonlyMap<string, KeyedTable>
  readonly #appends = new Map<string, Map<string, Append>>()
  /** What was read up to the end of a page, by reader and cursor. */
  readonly #pages = new Map<string, ReadonlyMap<string, number>>()

  constructor(stage: Stage, settings: StageSettings, tables: ReadonlyMap<string, KeyedTable>) {
    this.#stage = stage
    this.#settings = settings
    this.#tables = tables
  }

  async sent(who: string, operation: string, input: object, send: () => Promise<Output>): Promise<Output> {
    const puts = this.#putsIn(operation, input as Output)
    if (puts === undefined) this.#changed(operation, input)
    const appends = (puts ?? []).map(({ table, item }) => this.#begun(table, item))
    const beganAt = this.#stage.scheduler.now()
    try {
      const output = await send()
      const left = new Set(leftOut(output).map((item) => JSON.stringify(item)))
      for (const [index, append] of appends.entries()) {
        if (left.has(JSON.stringify(puts?.[index]?.item))) append.copies -= 1
        else append.acknowledgedAt = Math.min(append.acknowledgedAt, this.#stage.scheduler.now())
      }
      if (operation === 'Query') this.#check(who, input as Output, output, beganAt)
      return output
    } catch (error) {
      for (const append of appends) if (!isPerhapsDone(error, this.#settings.attempts > 1)) append.copies -= 1
      throw error
    }
  }

  /** @returns `undefined` where it does more than to append */
  #putsIn(
    operation: string,
    input: Output,
  ): readonly { readonly table: KeyedTable; readonly item: Attributes }[] | undefined {
    if (operation === 'Query') return []
    if (operation === 'PutItem' && input.ConditionExpression === undefined) {
      const table = this.#tables.get(String(input.TableName))
      return table === undefined ? [] : [{ table, item: input.Item as Attributes }]
    }
    if (operation !== 'BatchWriteItem') return undefined
    type Requests = readonly { readonly PutRequest?: { readonly Item: Attributes } }[]
    const puts = Object.entries(input.RequestItems as Record<string, Requests>).flatMap(
      ([name, requests]) => {
        const table = this.#tables.get(name)
        return table === undefined
          ? []
          : requests.map(({ PutRequest }) => ({ table, item: PutRequest?.Item }))
      },
    )
    return puts.every(({ item }) => item !== undefined)
      ? puts.map(({ table, item }) => ({ table, item: item ?? {} }))
      : undefined
  }

  #begun(table: KeyedTable, item: Attributes): Append {
    const sort = item[table.sortKey]
    if (sort === undefined) throw new Error('An item has a sort key.')
    const appends = this.#of(table, contentOf(item[table.partitionKey]))
    const known = appends.get(contentOf(sort))
    const append = known ?? { sort, acknowledgedAt: Number.POSITIVE_INFINITY, copies: 0, isChanged: false }
    append.copies += 1
    appends.set(contentOf(sort), append)
    return append
  }

  /** Whatever it does, what it names is not only appended any more. */
  #changed(operation: string, input: object): void {
    const names = namedIn(operation, input)
    for (const [key, appends] of this.#appends) {
      const partition = key.slice(key.indexOf('\n') + 1)
      for (const [sort, append] of appends) if (names.has(`${partition}/${sort}`)) append.isChanged = true
    }
  }

  #check(who: string, input: Output, output: Output, beganAt: number): void {
    const table = this.#tables.get(String(input.TableName))
    const range = table && pageRange(table, input, output)
    if (table === undefined || range === undefined) return
    const knowsUntil = input.ConsistentRead === true ? beganAt : beganAt - this.#settings.staleMilliseconds
    const appends = this.#of(table, range.partition)
    const times = new Map(this.#readBefore(who, input.ExclusiveStartKey))
    let last: AttributeValue | undefined
    for (const item of output.Items as readonly Attributes[]) {
      const sort = item[table.sortKey]
      if (sort === undefined) continue
      const text = contentOf(sort)
      times.set(text, (times.get(text) ?? 0) + 1)
      if (last !== undefined && (range.isForward ? 1 : -1) * compared(sort, last) < 0) {
        this.#fail(
          'items come in order',
          `${who} read ${text} of ${range.partition} after ${contentOf(last)}`,
        )
      }
      last = sort
      if (!range.mayCover(sort)) {
        this.#fail('only what was asked for is read', `${who} read ${text} of ${range.partition}`)
      }
      const append = appends.get(text)
      if (append !== undefined && !append.isChanged && (times.get(text) ?? 0) > append.copies) {
        this.#fail(
          'an append is read once',
          `${who} read ${text} of ${range.partition} ${times.get(text)} times`,
        )
      }
    }
    if (output.LastEvaluatedKey !== undefined) this.#pages.set(pageName(who, output.LastEvaluatedKey), times)
    for (const [text, { sort, acknowledgedAt, isChanged }] of appends) {
      if (isChanged || acknowledgedAt >= knowsUntil || times.has(text) || !range.covers(sort)) continue
      const ago = Math.round(knowsUntil - acknowledgedAt)
      this.#fail(
        'an acknowledged append is read',
        `${who} did not read ${text} of ${range.partition}, acknowledged ${ago} ms before`,
      )
    }
  }

  /** How often the pages before this one have given each item, where they are known. */
  #readBefore(who: string, cursor: unknown): ReadonlyMap<string, number> {
    return (cursor === undefined ? undefined : this.#pages.get(pageName(who, cursor))) ?? new Map()
  }

  #fail(rule: string, seen: string): void {
    this.#stage.guard(new Violation(rule, seen))
  }

  #of(table: KeyedTable, partition: string): Map<string, Append> {
    const name = `${table.name}\n${partition}`
    const known = this.#appends.get(name) ?? new Map<string, Append>()
    this.#appends.set(name, known)
    return known
  }
}

function pageName(who: string, cursor: unknown): string {
  return `${who} ${JSON.stringify(cursor)}`
}

function compared(a: AttributeValue, b: AttributeValue): number {
  return compareKeyValues(a as KeyValue, b as KeyValue) ?? 0
}

function leftOut({ UnprocessedItems }: Output): readonly Attributes[] {
  type Left = readonly { readonly PutRequest?: { readonly Item?: Attributes } }[]
  return Object.values((UnprocessedItems ?? {}) as Record<string, Left>).flatMap((requests) =>
    requests.flatMap(({ PutRequest }) => (PutRequest?.Item === undefined ? [] : [PutRequest.Item])),
  )
}

function isPerhapsDone(error: unknown, retries: boolean): boolean {
  try {
    return mayHaveBeenDone(error, { retries })
  } catch {
    return true
  }
}

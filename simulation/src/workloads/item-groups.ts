import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type DynamoDBClient,
  TransactGetItemsCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import type { ItemOperation } from '../invariants/item-history.js'
import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'
import { type Attributes, DONE, REFUSED, stateOf, type Target } from './item-operations.js'

/** One request about several items of one table: what it does to each, and how it is sent. */
export interface SentGroup<Item extends { readonly target: Target }> {
  readonly operations: ReadonlyMap<Item, ItemOperation>
  /** @returns an answer for each item, in the words of `apply`; none for one that was left out or never tried */
  send(db: DynamoDBClient): Promise<ReadonlyMap<Item, string>>
}

interface Member<Item> {
  readonly item: Item
  readonly operation: ItemOperation
}

type Targeted = { readonly target: Target }

/** A batch of reads, or all of them at one instant. */
export function readTogether<Item extends Targeted>(
  name: string,
  items: readonly Item[],
  isTransaction: boolean,
): SentGroup<Item> {
  const read: ItemOperation = {
    text: `${name} reads in a ${isTransaction ? 'transaction' : 'batch'}`,
    apply: (state) => ({ state, answer: `is ${state}` }),
  }
  const operations = new Map(items.map((item) => [item, { ...read }]))
  if (isTransaction) {
    return {
      operations,
      send: async (db) => {
        const TransactItems = items.map(({ target: { table: TableName, key: Key } }) => ({
          Get: { TableName, Key },
        }))
        const { Responses = [] } = await db.send(new TransactGetItemsCommand({ TransactItems }))
        return new Map(items.map((item, index) => [item, `is ${stateOf(Responses[index]?.Item)}`]))
      },
    }
  }
  return {
    operations,
    send: async (db) => {
      const table = items[0]?.target.table ?? ''
      const Keys = items.map(({ target }) => target.key)
      const page = await db.send(
        new BatchGetItemCommand({ RequestItems: { [table]: { Keys, ConsistentRead: true } } }),
      )
      const found = page.Responses?.[table] ?? []
      const left = page.UnprocessedKeys?.[table]?.Keys ?? []
      return new Map(
        items.flatMap((item) => {
          const own = found.filter((each) => isOf(each, item))
          if (own.length > 1) {
            const seen = `${name} was given ${own.map((each) => stateOf(each)).join(' and ')}`
            throw new Violation('a batch gives each item once', seen, aboutOf(item))
          }
          if (own.length === 0 && left.some((key) => isOf(key, item))) return []
          return [[item, `is ${stateOf(own[0])}`]]
        }),
      )
    },
  }
}

/** Puts and deletions, each of them done or left out. */
export function writeBatch<Item extends Targeted>(
  { name, random }: Process,
  items: readonly Item[],
  newValue: () => string,
): SentGroup<Item> {
  const members = items.map((item) => {
    const isPut = random.next() < 0.6
    const value = newValue()
    return {
      item,
      operation: isPut
        ? { text: `${name} puts ${value} in a batch`, apply: () => ({ state: `${value}|0`, answer: DONE }) }
        : { text: `${name} deletes in a batch`, apply: () => ({ state: '', answer: DONE }) },
      request: isPut
        ? { PutRequest: { Item: { ...item.target.key, val: { S: value } } } }
        : { DeleteRequest: { Key: item.target.key } },
    }
  })
  return {
    operations: operationsOf(members),
    send: async (db) => {
      const table = items[0]?.target.table ?? ''
      const output = await db.send(
        new BatchWriteItemCommand({ RequestItems: { [table]: members.map(({ request }) => request) } }),
      )
      const left = (output.UnprocessedItems?.[table] ?? []).map(
        ({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key ?? {},
      )
      const written = items.filter((item) => !left.some((key) => isOf(key, item)))
      return new Map(written.map((item) => [item, DONE]))
    },
  }
}

/** Writes under conditions, all of them or none. */
export function writeTransaction<Item extends Targeted>(
  process: Process,
  items: readonly Item[],
  newValue: () => string,
  seen: ReadonlyMap<Item, string>,
): SentGroup<Item> {
  const members = items.map((item) => ({
    item,
    ...transactMember(process, item.target, newValue(), seen.get(item) ?? 'v0'),
  }))
  return {
    operations: operationsOf(members),
    send: async (db) => {
      const TransactItems = members.map(({ request }) => request)
      try {
        await db.send(new TransactWriteItemsCommand({ TransactItems }))
        return new Map(items.map((item) => [item, DONE]))
      } catch (error) {
        const codes = reasonsOf(error)
        if (codes === undefined) throw error
        const refused = items.filter((_, index) => codes[index] === 'ConditionalCheckFailed')
        return new Map(refused.map((item) => [item, REFUSED]))
      }
    },
  }
}

function transactMember(
  { name, random }: Process,
  { table: TableName, key: Key }: Target,
  value: string,
  expected: string,
): { readonly operation: ItemOperation; readonly request: TransactWriteItem } {
  const draw = random.next()
  const Item: Attributes = { ...Key, val: { S: value } }
  if (draw < 0.3) {
    const text = `${name} creates ${value} in a transaction`
    return {
      operation: {
        text,
        apply: (state) => (state === '' ? { state: `${value}|0`, answer: DONE } : { state, answer: REFUSED }),
      },
      request: { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(val)' } },
    }
  }
  if (draw < 0.45) {
    const values = { ':value': { S: value }, ':one': { N: '1' } }
    const UpdateExpression = 'SET val = :value ADD n :one'
    return {
      operation: {
        text: `${name} updates with ${value} in a transaction`,
        apply: (state) => ({ state: `${value}|${Number(state.split('|')[1] ?? 0) + 1}`, answer: DONE }),
      },
      request: { Update: { TableName, Key, UpdateExpression, ExpressionAttributeValues: values } },
    }
  }
  if (draw < 0.6) {
    return {
      operation: { text: `${name} deletes in a transaction`, apply: () => ({ state: '', answer: DONE }) },
      request: { Delete: { TableName, Key } },
    }
  }
  const isAsExpected = {
    ConditionExpression: 'val = :expected',
    ExpressionAttributeValues: { ':expected': { S: expected } },
  }
  if (draw < 0.8) {
    return {
      operation: {
        text: `${name} checks for ${expected} in a transaction`,
        apply: (state) => ({ state, answer: state.split('|')[0] === expected ? DONE : REFUSED }),
      },
      request: { ConditionCheck: { TableName, Key, ...isAsExpected } },
    }
  }
  return {
    operation: {
      text: `${name} replaces ${expected} by ${value} in a transaction`,
      apply: (state) =>
        state.split('|')[0] === expected ? { state: `${value}|0`, answer: DONE } : { state, answer: REFUSED },
    },
    request: { Put: { TableName, Item, ...isAsExpected } },
  }
}

/** Items that a request is about, one after the other from a place by chance. */
export function someOf<Item>({ random }: Process, items: readonly Item[], atMost: number): readonly Item[] {
  const count = Math.min(items.length, randomInteger(random, 1, atMost))
  const first = randomInteger(random, 0, items.length - 1)
  return [...items.slice(first), ...items.slice(0, first)].slice(0, count)
}

/** @returns `undefined` for an error that is no cancelled transaction */
function reasonsOf(error: unknown): readonly (string | undefined)[] | undefined {
  if (!(error instanceof Error) || error.name !== 'TransactionCanceledException') return undefined
  const { CancellationReasons: reasons = [] } = error as {
    readonly CancellationReasons?: readonly { readonly Code?: string }[]
  }
  return reasons.map(({ Code }) => Code)
}

function operationsOf<Item>(members: readonly Member<Item>[]): ReadonlyMap<Item, ItemOperation> {
  return new Map(members.map(({ item, operation }) => [item, operation]))
}

function isOf(attributes: Attributes, { target: { key } }: Targeted): boolean {
  return Object.entries(key).every(([name, { S }]) => attributes[name]?.S === S)
}

function aboutOf({ target: { key } }: Targeted): readonly string[] {
  return Object.values(key).map(({ S }) => String(S))
}

import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type DynamoDBClient,
  TransactGetItemsCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import type { ItemOperation } from '../invariants/item-history.js'
import type { Process } from '../world/process.js'
import { contentOf } from '../world/stored-items.js'
import { Violation } from '../world/violation.js'
import {
  type Attributes,
  DONE,
  REFUSED,
  type SentOperation,
  stateOf,
  type Target,
} from './item-operations.js'

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

/** A put or a deletion in a batch. */
export interface BatchMember<Item> extends Member<Item> {
  readonly request: WriteRequest
}

/** A write or a check in a transaction. */
export interface TransactMember<Item> extends Member<Item> {
  readonly request: TransactWriteItem
}

type Targeted = { readonly target: Target }

/** One operation, in a request of its own. */
export function alone<Item extends Targeted>(item: Item, operation: SentOperation): SentGroup<Item> {
  return {
    operations: new Map([[item, operation]]),
    send: async (db) => new Map([[item, await operation.send(db)]]),
  }
}

/** A batch of reads, or all of them at one instant. */
export function readTogether<Item extends Targeted>(
  name: string,
  items: readonly Item[],
  isTransaction: boolean,
): SentGroup<Item> {
  const read: ItemOperation = {
    text: `${name} reads in a ${isTransaction ? 'transaction' : 'batch'}`,
    apply: (state) => ({ state, answer: `is ${state}` }),
    leaves: (answer) => answer.slice('is '.length),
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
export function writeBatch<Item extends Targeted>(members: readonly BatchMember<Item>[]): SentGroup<Item> {
  const items = members.map(({ item }) => item)
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
  members: readonly TransactMember<Item>[],
): SentGroup<Item> {
  const items = members.map(({ item }) => item)
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
  return Object.entries(key).every(([name, value]) => contentOf(attributes[name]) === contentOf(value))
}

function aboutOf({ target: { key } }: Targeted): readonly string[] {
  return Object.values(key).map(contentOf)
}

import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import type { ItemOperation, ItemState } from '../invariants/item-history.js'

export type Attributes = Record<string, AttributeValue>

/** One operation on one item: what it should do, and how it is asked for. */
export interface SentOperation extends ItemOperation {
  /** @returns the answer, in the words of `apply` */
  send(db: DynamoDBClient): Promise<string>
}

/** The item that an operation is about. */
export interface Target {
  readonly table: string
  readonly key: Attributes
}

/** An item is recognised by its value, which no two writes share, and by how often it was updated since. */
export function stateOf(item: Attributes | undefined): ItemState {
  return item === undefined ? '' : `${item.val?.S}|${item.n?.N ?? 0}`
}

/** The part of a response that shows the state of the item. */
function stateIn(answer: string): ItemState {
  return answer.slice('is '.length)
}

/** The value in a state. */
export function valueAt(state: ItemState): string | undefined {
  return state.split('|')[0]
}

/** How often an item in a state was updated. */
export function updatesOf(state: ItemState): number {
  return Number(state.split('|')[1] ?? 0)
}

/** The value in a response. */
export function valueIn(answer: string | undefined): string | undefined {
  return /^(?:is|was) ([^|]+)/.exec(answer ?? '')?.[1]
}

/** A condition did not hold. */
export const REFUSED = 'refused'
export const DONE = 'done'

/** A put, whatever is there. */
export function put(name: string, { table, key }: Target, value: string): SentOperation {
  return {
    text: `${name} puts ${value}`,
    apply: (state) => ({ state: `${value}|0`, answer: `was ${state}` }),
    leaves: () => `${value}|0`,
    send: async (db) => {
      const Item = { ...key, val: { S: value } }
      const output = await db.send(new PutItemCommand({ TableName: table, Item, ReturnValues: 'ALL_OLD' }))
      return `was ${stateOf(output.Attributes)}`
    },
  }
}

/** A put whose caller does not ask what was there. */
export function overwrite(name: string, { table, key }: Target, value: string): SentOperation {
  return {
    text: `${name} overwrites with ${value}`,
    apply: () => ({ state: `${value}|0`, answer: DONE }),
    leaves: () => `${value}|0`,
    send: async (db) => {
      await db.send(new PutItemCommand({ TableName: table, Item: { ...key, val: { S: value } } }))
      return DONE
    },
  }
}

/** A put of an item that nobody has put before, nor will again. */
export function append(name: string, target: Target, value: string): SentOperation {
  return { ...overwrite(name, target, value), text: `${name} appends ${value}` }
}

/** A put where nothing is. */
export function create(name: string, { table, key }: Target, value: string): SentOperation {
  return {
    text: `${name} creates ${value}`,
    apply: (state) => (state === '' ? { state: `${value}|0`, answer: DONE } : { state, answer: REFUSED }),
    send: (db) =>
      ifNotRefused(async () => {
        const condition = { ConditionExpression: 'attribute_not_exists(val)' }
        await db.send(
          new PutItemCommand({ TableName: table, Item: { ...key, val: { S: value } }, ...condition }),
        )
        return DONE
      }),
  }
}

/** A put in the place of what was seen. */
export function replace(
  name: string,
  { table, key }: Target,
  value: string,
  expected: string,
): SentOperation {
  return {
    text: `${name} replaces ${expected} by ${value}`,
    apply: (state) =>
      valueAt(state) === expected ? { state: `${value}|0`, answer: DONE } : { state, answer: REFUSED },
    send: (db) =>
      ifNotRefused(async () => {
        await db.send(
          new PutItemCommand({
            TableName: table,
            Item: { ...key, val: { S: value } },
            ConditionExpression: 'val = :expected',
            ExpressionAttributeValues: { ':expected': { S: expected } },
          }),
        )
        return DONE
      }),
  }
}

/** An update that counts, and creates what is not there. */
export function update(name: string, { table, key }: Target, value: string): SentOperation {
  return {
    text: `${name} updates with ${value}`,
    apply: (state) => {
      const next = `${value}|${updatesOf(state) + 1}`
      return { state: next, answer: `is ${next}` }
    },
    leaves: stateIn,
    send: async (db) => {
      const output = await db.send(
        new UpdateItemCommand({
          TableName: table,
          Key: key,
          UpdateExpression: 'SET val = :value ADD n :one',
          ExpressionAttributeValues: { ':value': { S: value }, ':one': { N: '1' } },
          ReturnValues: 'ALL_NEW',
        }),
      )
      return `is ${stateOf(output.Attributes)}`
    },
  }
}

/** An update that counts, of what is there alone. */
export function updateIfThere(name: string, { table, key }: Target, value: string): SentOperation {
  return {
    text: `${name} updates with ${value}, if it is there`,
    apply: (state) => {
      if (state === '') return { state, answer: REFUSED }
      const next = `${value}|${updatesOf(state) + 1}`
      return { state: next, answer: `is ${next}` }
    },
    leaves: (answer) => (answer === REFUSED ? '' : stateIn(answer)),
    send: (db) =>
      ifNotRefused(async () => {
        const output = await db.send(
          new UpdateItemCommand({
            TableName: table,
            Key: key,
            UpdateExpression: 'SET val = :value ADD n :one',
            ConditionExpression: 'attribute_exists(val)',
            ExpressionAttributeValues: { ':value': { S: value }, ':one': { N: '1' } },
            ReturnValues: 'ALL_NEW',
          }),
        )
        return `is ${stateOf(output.Attributes)}`
      }),
  }
}

/** A deletion, whatever is there. */
export function remove(name: string, { table, key }: Target): SentOperation {
  return {
    text: `${name} deletes`,
    apply: (state) => ({ state: '', answer: `was ${state}` }),
    leaves: () => '',
    send: async (db) => {
      const output = await db.send(
        new DeleteItemCommand({ TableName: table, Key: key, ReturnValues: 'ALL_OLD' }),
      )
      return `was ${stateOf(output.Attributes)}`
    },
  }
}

/** A consistent read. */
export function get(name: string, { table, key }: Target): SentOperation {
  return {
    text: `${name} reads`,
    apply: (state) => ({ state, answer: `is ${state}` }),
    leaves: stateIn,
    send: async (db) => {
      const output = await db.send(new GetItemCommand({ TableName: table, Key: key, ConsistentRead: true }))
      return `is ${stateOf(output.Item)}`
    },
  }
}

async function ifNotRefused(send: () => Promise<string>): Promise<string> {
  try {
    return await send()
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return REFUSED
    throw error
  }
}

import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import type { ItemOperation } from '../invariants/item-history.js'
import { DONE, REFUSED, type Target, updatesOf, valueAt } from './item-operations.js'

/** One member of a transaction: what it should do, and how it is asked for. */
export interface TransactOperation {
  readonly operation: ItemOperation
  readonly request: TransactWriteItem
}

/** A put of an item that nobody has put before, nor will again. */
export function append(name: string, { table, key }: Target, value: string): TransactOperation {
  return {
    operation: {
      text: `${name} appends ${value} in a transaction`,
      apply: () => ({ state: `${value}|0`, answer: DONE }),
    },
    request: { Put: { TableName: table, Item: { ...key, val: { S: value } } } },
  }
}

/** A put where nothing is. */
export function create(name: string, { table, key }: Target, value: string): TransactOperation {
  const Item = { ...key, val: { S: value } }
  return {
    operation: {
      text: `${name} creates ${value} in a transaction`,
      apply: (state) => (state === '' ? { state: `${value}|0`, answer: DONE } : { state, answer: REFUSED }),
    },
    request: { Put: { TableName: table, Item, ConditionExpression: 'attribute_not_exists(val)' } },
  }
}

/** A put in the place of what was seen. */
export function replace(
  name: string,
  { table, key }: Target,
  value: string,
  expected: string,
): TransactOperation {
  return {
    operation: {
      text: `${name} replaces ${expected} by ${value} in a transaction`,
      apply: (state) =>
        valueAt(state) === expected ? { state: `${value}|0`, answer: DONE } : { state, answer: REFUSED },
    },
    request: { Put: { TableName: table, Item: { ...key, val: { S: value } }, ...isStill(expected) } },
  }
}

/** An update that counts, and creates what is not there. */
export function update(name: string, { table, key }: Target, value: string): TransactOperation {
  return {
    operation: {
      text: `${name} updates with ${value} in a transaction`,
      apply: (state) => ({ state: `${value}|${updatesOf(state) + 1}`, answer: DONE }),
    },
    request: { Update: { TableName: table, Key: key, ...counting(value) } },
  }
}

/** An update that counts, of what is there alone. */
export function updateIfThere(name: string, { table, key }: Target, value: string): TransactOperation {
  const Update = {
    TableName: table,
    Key: key,
    ...counting(value),
    ConditionExpression: 'attribute_exists(val)',
  }
  return {
    operation: {
      text: `${name} updates with ${value} in a transaction, if it is there`,
      apply: (state) =>
        state === ''
          ? { state, answer: REFUSED }
          : { state: `${value}|${updatesOf(state) + 1}`, answer: DONE },
    },
    request: { Update },
  }
}

/** A deletion, whatever is there. */
export function remove(name: string, { table, key }: Target): TransactOperation {
  return {
    operation: {
      text: `${name} deletes in a transaction`,
      apply: () => ({ state: '', answer: DONE }),
    },
    request: { Delete: { TableName: table, Key: key } },
  }
}

/** A look whether something is still what was seen. */
export function check(name: string, { table, key }: Target, expected: string): TransactOperation {
  return {
    operation: {
      text: `${name} checks for ${expected} in a transaction`,
      apply: (state) => ({ state, answer: valueAt(state) === expected ? DONE : REFUSED }),
    },
    request: { ConditionCheck: { TableName: table, Key: key, ...isStill(expected) } },
  }
}

function isStill(expected: string) {
  return {
    ConditionExpression: 'val = :expected',
    ExpressionAttributeValues: { ':expected': { S: expected } },
  }
}

function counting(value: string) {
  return {
    UpdateExpression: 'SET val = :value ADD n :one',
    ExpressionAttributeValues: { ':value': { S: value }, ':one': { N: '1' } },
  }
}

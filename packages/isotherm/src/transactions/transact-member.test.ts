import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { transactingTable } from '../../test/transacting-table.js'
import { TablesByName } from '../sdk/tables-by-name.js'
import { attributesOf, isSharded, readMembers } from './transact-member.js'

type Attributes = Record<string, AttributeValue>

const Key = { pk: { S: 'k' }, sk: { S: '1' } }
const keyOf = (sk: string, pk = 'k'): Attributes => ({ pk: { S: pk }, sk: { S: sk } })
const KINDS = ['Put', 'Update', 'Delete', 'ConditionCheck'] as const

function givenOf(kind: (typeof KINDS)[number], attributes: Attributes, TableName = 'log'): TransactWriteItem {
  if (kind === 'Put') return { Put: { TableName, Item: attributes } }
  return { [kind]: { TableName, Key: attributes } } as unknown as TransactWriteItem
}

function read(...given: readonly TransactWriteItem[]) {
  const tables = ['log', 'other'].map((name) => transactingTable({ suffix: 'calculated', name }).table)
  return readMembers(new TablesByName({} as never, tables), given)
}

const ofShardedTable = (given: TransactWriteItem) => read(given).filter(isSharded)

describe('a member of a transaction', () => {
  it.each(KINDS)('is read with its kind, its key and its attributes: %s', (kind) => {
    const [member] = ofShardedTable(givenOf(kind, Key))
    expect(member).toMatchObject({ kind, itemKey: { logical: Key.pk, sort: Key.sk } })
    expect(member && attributesOf(member.action)).toEqual(Key)
  })

  it.each<[string, TransactWriteItem]>([
    ['of an unsharded table', givenOf('Put', Key, 'plain')],
    ['without an action', {}],
    ['with two actions', { ...givenOf('Put', Key), ...givenOf('Delete', Key) }],
  ])('is left to the service as it is: %s', (_which, given) => {
    expect(read(given)).toEqual([{ kind: 'plain', given }])
  })

  it('costs twice the units of a single write', () => {
    const bytes = (length: number) => ({ ...Key, text: { S: 'x'.repeat(length) } })
    const unitsOf = (given: TransactWriteItem) => ofShardedTable(given)[0]?.units
    expect(unitsOf(givenOf('Put', bytes(10)))).toBe(2)
    expect(unitsOf(givenOf('Put', bytes(2_500)))).toBe(6)
    const Update = { TableName: 'log', Key, UpdateExpression: 'SET t = :t' }
    expect(
      unitsOf({ Update: { ...Update, ExpressionAttributeValues: { ':t': { S: 'x'.repeat(1_500) } } } }),
    ).toBe(4)
  })

  it('must not write the attributes that the library keeps for itself', () => {
    const refusal = { code: 'command.parameter-unsupported' }
    const item = { ...Key, isotherm_moving: { S: '1:1' } }
    expect(() => read(givenOf('Put', item))).toThrow(expect.objectContaining(refusal))
    const Update = { TableName: 'log', Key, UpdateExpression: 'REMOVE isotherm_moving' }
    expect(() => read({ Update })).toThrow(expect.objectContaining(refusal))
    const Delete = { TableName: 'log', Key, ConditionExpression: 'attribute_exists(isotherm_moved)' }
    expect(() => read({ Delete })).toThrow(expect.objectContaining(refusal))
  })

  it.each([
    ['Put', true],
    ['Update', true],
    ['Delete', false],
    ['ConditionCheck', false],
  ] as const)('needs room for a suffix in its key if it may create the item: %s: %s', (kind, needsRoom) => {
    const given = givenOf(kind, keyOf('1', 'x'.repeat(2_047)))
    if (needsRoom) expect(() => read(given)).toThrow(expect.objectContaining({ code: 'key.too-long' }))
    else expect(ofShardedTable(given)).toHaveLength(1)
  })

  it.each([
    ['without a key', { pk: Key.pk }, 'key.missing'],
    ['with a key of another type', { ...Key, sk: { BOOL: true } }, 'key.type'],
  ] as const)('is rejected as the service would reject it: %s', (_which, attributes, code) => {
    expect(() => read(givenOf('Delete', attributes))).toThrow(
      expect.objectContaining({ name: 'ValidationException', code }),
    )
  })
})

describe('two members of a transaction', () => {
  it('must not concern one item', () => {
    expect(() => read(givenOf('Put', Key), givenOf('Delete', keyOf('2')), givenOf('Update', Key))).toThrow(
      expect.objectContaining({ name: 'ValidationException' }),
    )
  })

  it('may concern items that differ in one part of the key, or in their table', () => {
    const given = [
      givenOf('Put', Key),
      givenOf('Put', keyOf('2')),
      givenOf('Put', keyOf('1', 'k2')),
      givenOf('Put', Key, 'other'),
    ]
    expect(read(...given)).toHaveLength(given.length)
  })
})

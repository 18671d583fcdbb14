import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { allowedStates, membersOf, transactingTable } from '../../test/transacting-table.js'
import { absenceCheck, copyDeletion, type Expectation, ownAction, plainAction } from './placed-action.js'
import type { ShardedMember } from './transact-member.js'

const Key = { pk: { S: 'k' }, sk: { S: '1' } }
const STORED = { pk: { S: 'k_2' }, sk: { S: '1' }, version: { N: '1' } }
const STATES = {
  missing: undefined,
  there: STORED,
  marked: { ...STORED, isotherm_moving: { S: '3:1' } },
}
const ADD = {
  UpdateExpression: 'ADD version :one',
  ExpressionAttributeValues: { ':one': { N: '1' } },
}

interface Own {
  readonly ConditionExpression?: string
  readonly ExpressionAttributeNames?: Record<string, string>
  readonly ExpressionAttributeValues?: Record<string, AttributeValue>
  readonly ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE'
}

function givenOf(kind: ShardedMember['kind'], own: Own = {}): TransactWriteItem {
  const action = { TableName: 'log', ...own }
  if (kind === 'Put') return { Put: { ...action, Item: { ...Key, text: { S: 'new' } } } }
  if (kind === 'Update') return { Update: { ...action, Key, ...ADD } }
  if (kind === 'Delete') return { Delete: { ...action, Key } }
  // A check always has a condition. This one always holds.
  return { ConditionCheck: { ConditionExpression: 'attribute_not_exists(never)', ...action, Key } }
}

function memberOf(kind: ShardedMember['kind'], own: Own = {}, itemsMayMove = true): ShardedMember {
  const { table } = transactingTable({ suffix: 'calculated', itemsMayMove })
  const [member] = membersOf([table], givenOf(kind, own))
  if (member === undefined) throw new Error('No member.')
  return member
}

const statesOf = ({ request }: { readonly request: TransactWriteItem }) => allowedStates(request, STATES)
const KINDS = ['Put', 'Update', 'Delete', 'ConditionCheck'] as const

describe('the action of a member, placed in a shard', () => {
  it.each(KINDS)('has the kind of the member and the key of the shard: %s', (kind) => {
    const { request, shard, role } = ownAction(memberOf(kind), 2, 'either')
    expect({ shard, role }).toEqual({ shard: 2, role: 'own' })
    expect(Object.keys(request)).toEqual([kind])
    expect(request[kind]).toMatchObject({
      TableName: 'log',
      [kind === 'Put' ? 'Item' : 'Key']: { pk: STORED.pk },
    })
  })

  it.each([
    // A move copies the item in the state in which it was marked, so no write may change it after that.
    ['Put', 'either', ['missing', 'there']],
    ['Put', 'there', ['there']],
    ['Put', 'missing', ['missing']],
    ['Update', 'either', ['missing', 'there']],
    ['Update', 'there', ['there']],
    ['Update', 'missing', ['missing']],
    ['Delete', 'either', ['missing', 'there']],
    ['Delete', 'there', ['there']],
    // A check changes nothing, so it may also see an item that is being moved.
    ['ConditionCheck', 'either', ['missing', 'there', 'marked']],
    ['ConditionCheck', 'there', ['there', 'marked']],
    ['ConditionCheck', 'missing', ['missing']],
  ] as const)('%s takes effect only where its item is as it was found: %s', (kind, expects, allowed) => {
    expect(statesOf(ownAction(memberOf(kind), 2, expects))).toEqual(allowed)
  })

  it.each([
    ['either', ['missing', 'there', 'marked']],
    ['there', ['there', 'marked']],
  ] as const)('needs no check for moves in a table whose items never move: %s', (expects, allowed) => {
    expect(statesOf(ownAction(memberOf('Put', {}, false), 2, expects))).toEqual(allowed)
  })

  it.each<[Expectation, readonly string[]]>([
    ['missing', ['missing']],
    ['there', ['there']],
    ['either', ['missing', 'there']],
  ])('has the application\u2019s condition beside its own, as a whole: %s', (expects, allowed) => {
    const holds = 'attribute_not_exists(version) OR version = :version'
    const ExpressionAttributeValues = { ':version': { N: '1' } }
    const own = { ConditionExpression: holds, ExpressionAttributeValues }
    expect(statesOf(ownAction(memberOf('Put', own), 2, expects))).toEqual(allowed)
    const fails = 'version = :version AND attribute_exists(never)'
    const other = { ConditionExpression: fails, ExpressionAttributeValues }
    expect(statesOf(ownAction(memberOf('Put', other), 2, expects))).toEqual([])
  })

  it('keeps its own placeholders apart from those of the application', () => {
    const ExpressionAttributeNames = { '#isotherm_absent': 'version' }
    const own = { ConditionExpression: 'attribute_exists(#isotherm_absent)', ExpressionAttributeNames }
    const { request } = ownAction(memberOf('Put', own), 2, 'missing')
    expect(request.Put?.ExpressionAttributeNames).toMatchObject(ExpressionAttributeNames)
  })

  it.each(['there', 'missing'] as const)(
    'leaves a malformed condition for the service to reject: %s',
    (expects) => {
      const ConditionExpression = 'attribute_exists(a)) OR (attribute_exists(b)'
      const { request } = ownAction(memberOf('Put', { ConditionExpression }), 2, expects)
      expect(request.Put?.ConditionExpression).toBe(ConditionExpression)
    },
  )

  it.each([
    ['Put', 'either', true, 'ALL_OLD'],
    ['Put', 'there', false, 'ALL_OLD'],
    ['Put', 'missing', false, 'ALL_OLD'],
    ['Put', 'either', false, undefined],
    ['ConditionCheck', 'there', true, 'ALL_OLD'],
    ['ConditionCheck', 'either', true, undefined],
  ] as const)(
    'asks for the old item only where the library has a condition: %s, %s, items may move: %s',
    (kind, expects, itemsMayMove, asked) => {
      const { request } = ownAction(memberOf(kind, {}, itemsMayMove), 2, expects)
      expect(request[kind]?.ReturnValuesOnConditionCheckFailure).toBe(asked)
    },
  )

  it('asks for the old item where the application does', () => {
    const asks = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const
    const { request } = ownAction(memberOf('Put', asks, false), 2, 'either')
    expect(request.Put?.ReturnValuesOnConditionCheckFailure).toBe('ALL_OLD')
  })

  it('keeps the mark of the move that has brought the item there, and has none otherwise', () => {
    const mark = { S: '1:2:7' }
    const stored = { ...Key, pk: STORED.pk, text: { S: 'new' } }
    const moved = ownAction(memberOf('Put'), 2, 'there', mark)
    expect(moved.request.Put?.Item).toEqual({ ...stored, isotherm_moved: mark })
    expect(ownAction(memberOf('Put'), 2, 'there').request.Put?.Item).toStrictEqual(stored)
    expect(ownAction(memberOf('Delete'), 2, 'there', mark).request.Delete?.Key).toEqual({
      ...Key,
      pk: STORED.pk,
    })
  })

  it('is refused if it compares the stored key with another attribute', () => {
    const own = { ConditionExpression: 'pk = version' }
    expect(() => ownAction(memberOf('Delete', own), 2, 'there')).toThrow(
      expect.objectContaining({
        code: 'command.parameter-unsupported',
        details: expect.objectContaining({ table: 'log', operation: 'TransactWriteItems' }),
      }),
    )
  })
})

describe('an action that the library adds', () => {
  it('checks that the item is not in another shard, whatever the application\u2019s own condition', () => {
    const own = { ConditionExpression: 'attribute_exists(version)' }
    const check = absenceCheck(memberOf('Put', own), 3)
    expect(check).toMatchObject({ role: 'added', expects: 'missing', shard: 3 })
    expect(check.request.ConditionCheck).toMatchObject({
      TableName: 'log',
      Key: { ...Key, pk: { S: 'k_3' } },
    })
    expect(statesOf(check)).toEqual(['missing'])
  })

  it('deletes another copy of the item that is still there, even while it is being moved', () => {
    const own = { ConditionExpression: 'attribute_exists(never)' }
    const deletion = copyDeletion(memberOf('Delete', own), 3)
    expect(deletion).toMatchObject({ role: 'added', expects: 'either', shard: 3 })
    expect(deletion.request.Delete).toMatchObject({ TableName: 'log', Key: { ...Key, pk: { S: 'k_3' } } })
    expect(statesOf(deletion)).toEqual(['there', 'marked'])
  })
})

describe('a member of an unsharded table', () => {
  it('is sent unchanged', () => {
    const member = { kind: 'plain', given: givenOf('Delete') } as const
    expect(plainAction(member)).toEqual({
      member,
      role: 'own',
      expects: 'either',
      shard: 0,
      request: member.given,
    })
  })
})

import { describe, expect, it } from 'vitest'
import type { StoredItem } from '../protocol/index.js'
import { judge } from './judge-cancellation.js'
import type { Expectation, PlacedAction } from './placed-action.js'
import type { ShardedMember } from './transact-member.js'

interface Placing {
  readonly expects?: Expectation
  readonly role?: PlacedAction['role']
  readonly kind?: ShardedMember['kind']
  /** Whether the application gave a condition. */
  readonly isConditional?: boolean
}

/** An action of the application on an item of a sharded table, which was found in its shard. */
function action({ expects = 'there', role = 'own', kind = 'Put', isConditional = true }: Placing = {}) {
  const condition = isConditional ? { ConditionExpression: 'attribute_exists(pk)' } : {}
  const member = { kind, action: { TableName: 'log', ...condition } } as unknown as ShardedMember
  return { member, role, expects, shard: 3, request: {} } satisfies PlacedAction
}

const INNOCENT = { Code: 'None' }
const ITEM: StoredItem = { pk: { S: 'k_3' } }
const MARKED: StoredItem = { ...ITEM, isotherm_moving: { S: '1:1' } }
const refused = (Item?: StoredItem) => ({ Code: 'ConditionalCheckFailed', ...(Item && { Item }) })
const THROTTLED = { Code: 'ThrottlingError' }

/** The item was found, and its own condition does not hold. */
const OWN = [action(), refused(ITEM)] as const
/** The item was found, and is no longer there. */
const CHANGED = [action(), refused()] as const
const MOVING = [action(), refused(MARKED)] as const
const FULL = [action(), THROTTLED] as const
const FINE = [action(), INNOCENT] as const

function verdictOn(
  ...members: readonly (typeof OWN | typeof CHANGED | typeof MOVING | typeof FULL | typeof FINE)[]
) {
  return judge(
    members.map(([placed]) => placed),
    members.map(([, reason]) => reason),
  ).kind
}

describe('a cancelled transaction', () => {
  it('is final where only the application\u2019s own conditions failed', () => {
    expect(verdictOn(FINE, OWN)).toBe('final')
    expect(verdictOn(OWN, FULL)).toBe('final')
  })

  it('is placed again where one item is no longer where it was found, even if another\u2019s own condition failed', () => {
    expect(verdictOn(FINE, CHANGED)).toBe('changed')
    expect(verdictOn(OWN, CHANGED)).toBe('changed')
    expect(verdictOn(CHANGED, OWN)).toBe('changed')
    expect(verdictOn(CHANGED, FULL)).toBe('changed')
  })

  it('waits for moves first, whatever the other reasons are', () => {
    for (const other of [OWN, CHANGED, FULL, FINE]) {
      expect(verdictOn(other, MOVING)).toBe('moving')
      expect(verdictOn(MOVING, other)).toBe('moving')
    }
  })

  it('is sent again if it was only throttled', () => {
    expect(verdictOn(FINE, FULL)).toBe('throttled')
  })

  it.each([
    ['found, and is there', { expects: 'there' }, refused(ITEM), 'final'],
    ['found, and is gone', { expects: 'there' }, refused(), 'changed'],
    ['found, and shows as empty', { expects: 'there' }, refused({}), 'changed'],
    ['missing, and is there', { expects: 'missing' }, refused(ITEM), 'changed'],
    ['missing, and is missing', { expects: 'missing' }, refused(), 'final'],
    ['in its only shard', { expects: 'either' }, refused(ITEM), 'final'],
    ['written without a condition', { expects: 'either', isConditional: false }, refused(ITEM), 'changed'],
    ['checked by the library', { role: 'added' }, refused(ITEM), 'changed'],
    ['being moved, and only checked', { kind: 'ConditionCheck' }, refused(MARKED), 'final'],
    ['in a conflict at one of two shards', { expects: 'there' }, { Code: 'TransactionConflict' }, 'changed'],
    ['in a conflict at its only shard', { expects: 'either' }, { Code: 'TransactionConflict' }, 'final'],
    ['too large', {}, { Code: 'ValidationError' }, 'final'],
  ] as const)('is judged for an item that was %s', (_name, placing, reason, kind) => {
    expect(judge([action(placing)], [reason]).kind).toBe(kind)
  })
})

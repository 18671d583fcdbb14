import { describe, expect, it } from 'vitest'
import type { StoredItem } from '../protocol/index.js'
import { judge, ownReasons } from './judge-cancellation.js'
import { type Expectation, type PlacedAction, plainAction } from './placed-action.js'
import type { ShardedMember } from './transact-member.js'

interface Placing {
  readonly expects?: Expectation
  readonly role?: PlacedAction['role']
  readonly kind?: ShardedMember['kind']
  /** Whether the application gave a condition. */
  readonly isConditional?: boolean
  /** Whether the application asked for the item of a failed condition. */
  readonly isAsked?: boolean
}

/** An action of the application on an item of a sharded table, which was found in its shard. */
function action({
  expects = 'there',
  role = 'own',
  kind = 'Put',
  isConditional = true,
  isAsked = false,
}: Placing = {}) {
  const own = {
    TableName: 'log',
    ...(isConditional ? { ConditionExpression: 'attribute_exists(pk)' } : {}),
    ...(isAsked ? { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } : {}),
  }
  const table = { options: { partitionKey: 'pk', hiddenAttributes: ['isotherm_moving'] } }
  const member = { kind, action: own, table, itemKey: { logical: { S: 'k' } } } as unknown as ShardedMember
  return { member, role, expects, shard: 3, request: {} } satisfies PlacedAction
}

/** An action on an unsharded table. */
const PLAIN = plainAction({ kind: 'plain', given: {} })

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

  it.each(['ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'is sent again if it was only throttled, and tells which of its items were: %s',
    (Code) => {
      const [fine, full] = [action(), action()]
      const [member, shard] = [full.member, full.shard]
      expect(judge([fine, full, PLAIN], [INNOCENT, { Code }, { Code }])).toEqual({
        kind: 'throttled',
        refused: [{ member, shard }],
      })
    },
  )

  it('tells which of its items are being moved', () => {
    const moving = action()
    const actions = [action(), moving, action()]
    const { member, shard } = moving
    expect(judge(actions, [refused(ITEM), refused(MARKED), THROTTLED])).toEqual({
      kind: 'moving',
      items: [{ member, shard }],
    })
  })

  it('is final where no action is to blame, or where the cancellation tells no reasons', () => {
    expect(judge([action()], [INNOCENT])).toEqual({ kind: 'final' })
    expect(judge([action(), action()], [])).toEqual({ kind: 'final' })
    expect(judge([action(), action()], [THROTTLED, {}]).kind).toBe('throttled')
  })

  it('is final where an action on an unsharded table failed, even if another was throttled', () => {
    expect(judge([PLAIN, action()], [refused(ITEM), THROTTLED])).toEqual({ kind: 'final' })
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
    // It is no different if there was no capacity for another item.
    expect(judge([action(placing), action()], [reason, THROTTLED]).kind).toBe(kind)
  })
})

describe('the reasons for the application', () => {
  const FAILED = 'ConditionalCheckFailed'

  it('are those of its own members, in their order', () => {
    const actions = [action(), action({ role: 'added' }), PLAIN, action()]
    const reasons = [INNOCENT, refused(ITEM), { Code: 'ValidationError', Message: 'Wrong.' }, THROTTLED]
    expect(ownReasons(actions, reasons)).toStrictEqual([
      { Code: 'None' },
      { Code: 'ValidationError', Message: 'Wrong.' },
      { Code: 'ThrottlingError' },
    ])
  })

  it('are those of the actions that the library has added, for members that are not to blame themselves', () => {
    const [first, second] = [action(), action()]
    const added = ({ member }: PlacedAction) => ({ ...action({ role: 'added' }), member })
    const actions = [first, added(first), PLAIN, second, added(second)]
    expect(ownReasons(actions, [INNOCENT, THROTTLED, INNOCENT, INNOCENT, INNOCENT])).toStrictEqual([
      THROTTLED,
      INNOCENT,
      INNOCENT,
    ])
    const invalid = { Code: 'ValidationError' }
    expect(ownReasons(actions, [INNOCENT, INNOCENT, INNOCENT, invalid, THROTTLED])).toStrictEqual([
      INNOCENT,
      INNOCENT,
      invalid,
    ])
  })

  it('are no more than a code for members that are not to blame, also if the service tells fewer reasons', () => {
    expect(ownReasons([action({ isAsked: true })], [{ ...INNOCENT, Item: ITEM }])).toStrictEqual([INNOCENT])
    expect(ownReasons([action(), PLAIN], [])).toStrictEqual([INNOCENT, INNOCENT])
  })

  it('have the item only if the application asked for it, and then with its logical key', () => {
    const reasons = [refused(MARKED)]
    expect(ownReasons([action()], reasons)).toStrictEqual([{ Code: FAILED }])
    expect(ownReasons([action({ isAsked: true })], reasons)).toStrictEqual([
      { Code: FAILED, Item: { pk: { S: 'k' } } },
    ])
    expect(ownReasons([action({ isAsked: true })], [refused()])).toStrictEqual([{ Code: FAILED }])
  })

  it('have the item of an unsharded table as it is', () => {
    expect(ownReasons([PLAIN], [refused(MARKED)])).toStrictEqual([{ Code: FAILED, Item: MARKED }])
    expect(ownReasons([PLAIN], [refused()])).toStrictEqual([{ Code: FAILED }])
  })
})

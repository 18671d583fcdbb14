import type { CancellationReason } from '@aws-sdk/client-dynamodb'
import { presentedItem } from '../keys/presented-item.js'
import { MOVE_ATTRIBUTES } from '../protocol/index.js'
import type { MovingItem } from './place-members.js'
import type { PlacedAction } from './placed-action.js'
import { isSharded, type ShardedMember } from './transact-member.js'

/** The reaction to a cancelled transaction. */
export type Verdict =
  /** It would be cancelled again. */
  | { readonly kind: 'final' }
  /** Items that are being moved must arrive first. */
  | { readonly kind: 'moving'; readonly items: readonly MovingItem[] }
  | { readonly kind: 'throttled'; readonly refused: readonly RefusedAction[] }
  /** An item is no longer where it was found. */
  | { readonly kind: 'changed' }

/** A throttled action of a sharded table. */
export interface RefusedAction {
  readonly member: ShardedMember
  readonly shard: number
}

/** The meaning of one reason, independently of the others. */
type Finding = 'innocent' | 'own' | 'moving' | 'throttled' | 'changed'

const THROTTLES = new Set(['ThrottlingError', 'ProvisionedThroughputExceeded'])

/** @param reasons one for each action, in their order */
export function judge(actions: readonly PlacedAction[], reasons: readonly CancellationReason[]): Verdict {
  const findings = actions.map((action, at) => findingOf(action, reasons[at]))
  const having = (wanted: Finding) =>
    actions.flatMap(({ member, shard }, at) =>
      findings[at] === wanted && isSharded(member) ? [{ member, shard }] : [],
    )
  if (findings.includes('moving')) return { kind: 'moving', items: having('moving') }
  // Checked before `own`, so that every reported reason belongs to the right member.
  if (findings.includes('changed')) return { kind: 'changed' }
  if (findings.includes('own')) return { kind: 'final' }
  return findings.includes('throttled')
    ? { kind: 'throttled', refused: having('throttled') }
    : { kind: 'final' }
}

/**
 * The reasons for the application: one for each of its members. If the member itself is not to blame, that of an action that the library
 * has added for it, such as a check that was throttled.
 */
export function ownReasons(
  actions: readonly PlacedAction[],
  reasons: readonly CancellationReason[],
): readonly CancellationReason[] {
  const blamed = (at: number) => (reasons[at]?.Code ?? 'None') !== 'None'
  return actions.flatMap((action, at) => {
    if (action.role === 'added') return []
    const ofMember = ({ member, role }: PlacedAction, at: number) =>
      role === 'added' && member === action.member && blamed(at)
    const reason = reasons[blamed(at) ? at : actions.findIndex(ofMember)]
    return [reason === undefined ? { Code: 'None' } : presentedReason(action, reason)]
  })
}

/** Whether the code of a reason means that there was no capacity for the action. */
export function isThrottleCode(code: string | undefined): boolean {
  return code !== undefined && THROTTLES.has(code)
}

function findingOf({ member, role, expects }: PlacedAction, reason: CancellationReason | undefined): Finding {
  const code = reason?.Code ?? 'None'
  if (code === 'None') return 'innocent'
  if (isThrottleCode(code)) return 'throttled'
  if (!isSharded(member)) return 'own'
  // When the item has two possible shards, the conflict may be with a move. Otherwise it is with another transaction of
  // the application.
  if (code === 'TransactionConflict') return expects === 'either' ? 'own' : 'changed'
  if (code !== 'ConditionalCheckFailed') return 'own'
  const stored = reason?.Item
  const isMarked = stored !== undefined && Object.hasOwn(stored, MOVE_ATTRIBUTES.moving)
  // A check has the same result for the marked item and for the moved one.
  if (isMarked && member.kind !== 'ConditionCheck') return 'moving'
  const isThere = stored !== undefined && Object.keys(stored).length > 0
  const isElsewhere = (expects === 'there' && !isThere) || (expects === 'missing' && isThere)
  const isWithoutOwnCondition = member.action.ConditionExpression === undefined
  return role === 'added' || isElsewhere || isWithoutOwnCondition ? 'changed' : 'own'
}

function presentedReason(
  { member }: PlacedAction,
  { Item, ...reason }: CancellationReason,
): CancellationReason {
  if (!isSharded(member)) return Item === undefined ? reason : { ...reason, Item }
  const isAsked = member.action.ReturnValuesOnConditionCheckFailure === 'ALL_OLD'
  if (Item === undefined || !isAsked) return reason
  return { ...reason, Item: presentedItem(member.table.options, member.itemKey.logical, Item) }
}

import type { CancellationReason } from '@aws-sdk/client-dynamodb'
import { presentedItem } from '../keys/presented-item.js'
import { MOVE_ATTRIBUTES } from '../protocol/moves/move-attributes.js'
import type { MovingItem } from './place-members.js'
import type { PlacedAction } from './placed-action.js'
import { isSharded, type ShardedMember } from './transact-member.js'

/** What a cancelled transaction calls for. */
export type Verdict =
  /** It would be cancelled again. */
  | { readonly kind: 'final' }
  /** Items that are being moved have to arrive first. */
  | { readonly kind: 'moving'; readonly items: readonly MovingItem[] }
  | { readonly kind: 'throttled'; readonly refused: readonly RefusedAction[] }
  /** An item is no longer where it was found. */
  | { readonly kind: 'changed' }

/** An action of a sharded table for which there was no capacity. */
export interface RefusedAction {
  readonly member: ShardedMember
  readonly shard: number
}

/** What one reason says, apart from the others. */
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
  // Before what would be cancelled again, so that every member's reason is its own.
  if (findings.includes('changed')) return { kind: 'changed' }
  if (findings.includes('own')) return { kind: 'final' }
  return findings.includes('throttled')
    ? { kind: 'throttled', refused: having('throttled') }
    : { kind: 'final' }
}

/** The reasons as the application gets them: one for each of its own members, and nothing of what the library added. */
export function ownReasons(
  actions: readonly PlacedAction[],
  reasons: readonly CancellationReason[],
): readonly CancellationReason[] {
  return actions.flatMap((action, at) => {
    if (action.role === 'added') return []
    const reason = reasons[at]
    if (reason === undefined || reason.Code === 'None') return [{ Code: 'None' }]
    return [presentedReason(action, reason)]
  })
}

function findingOf({ member, role, expects }: PlacedAction, reason: CancellationReason | undefined): Finding {
  const code = reason?.Code ?? 'None'
  if (code === 'None') return 'innocent'
  if (THROTTLES.has(code)) return 'throttled'
  if (!isSharded(member)) return 'own'
  // Of two places one may be in a move; the transaction of the application itself is its own affair.
  if (code === 'TransactionConflict') return expects === 'either' ? 'own' : 'changed'
  if (code !== 'ConditionalCheckFailed') return 'own'
  const stored = reason?.Item
  const isMarked = stored !== undefined && Object.hasOwn(stored, MOVE_ATTRIBUTES.moving)
  // A check holds of the marked item as well as of the moved one.
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

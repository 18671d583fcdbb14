import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { AccessKind } from '../partition/partition.js'
import type { BillingMode } from '../table/table-definition.js'
import type { KeyspaceCapacity } from './keyspace-capacity.js'
import { currentAccount, type Refusal } from './request-account.js'
import { Throttled, type ThrottledResource } from './throttled.js'

/** Capacity that a request needs in one place: a table or index, at a key. */
export interface Demand {
  readonly capacity: KeyspaceCapacity
  readonly kind: AccessKind
  readonly key: EncodedKey
  readonly units: number
  /** There when the capacity is not needed at once, but may be waited for where there is room to wait. */
  readonly waitingRoom?: WaitingRoom
}

/** Where writes of an index wait for their capacity. They take it when it is their turn. */
interface WaitingRoom {
  /** What stands in the way of one more. */
  refusal(key: EncodedKey, now: number): ThrottledResource | undefined
}

/** Whether limits are enforced; figures are kept either way. */
export interface Enforcement {
  readonly throttle: boolean
}

/**
 * Admits all demands of a request or none: nothing is taken when anything refuses.
 * @throws Throttled with every reason that stood in the way.
 */
export function admit(
  demands: readonly Demand[],
  billingMode: BillingMode,
  now: number,
  enforcement: Enforcement,
): void {
  const refusal = refusalOf(demands, billingMode, now, enforcement)
  if (refusal !== undefined) throw refusal
  takeAll(demands, now)
}

/** What stands in the way of demands, each noted where it was refused; nothing when they may be taken. */
export function refusalOf(
  demands: readonly Demand[],
  billingMode: BillingMode,
  now: number,
  { throttle }: Enforcement,
): Throttled | undefined {
  if (!throttle) return undefined
  return demands.some((demand) => refusalOfOne(demand, now) !== undefined)
    ? refuse(demands, billingMode, now)
    : undefined
}

/** Takes what was not refused. */
export function takeAll(demands: readonly Demand[], now: number): void {
  const account = currentAccount()
  for (const { capacity, kind, key, units, waitingRoom } of demands) {
    if (waitingRoom !== undefined && account === undefined) continue
    const partition = capacity.partitions.find(key)
    account?.takes.push({ resource: capacity.resource, kind, partition: partition.id, units })
    if (waitingRoom === undefined) capacity.take(kind, partition, key, units, now)
  }
}

/** Off the common path: gathers all reasons and notes each refusal where it happened. */
function refuse(demands: readonly Demand[], billingMode: BillingMode, now: number): Throttled {
  const reasons = new Map<string, ThrottledResource>()
  const refusals: Refusal[] = []
  for (const demand of demands) {
    const { capacity, kind, key } = demand
    const refusal = refusalOfOne(demand, now)
    if (refusal === undefined) continue
    reasons.set(`${refusal.reason} ${refusal.resource}`, refusal)
    const partition = capacity.partitions.find(key)
    const { resource, reason } = refusal
    refusals.push({ resource, kind, partition: partition.id, reason })
    capacity.throttle(kind, partition, key, reason, now)
  }
  currentAccount()?.refusals.push(refusals)
  const [first, ...rest] = reasons.values()
  if (first === undefined)
    throw new Error('A refused request has no reason; refusals must not depend on order.')
  return new Throttled(billingMode, [first, ...rest])
}

function refusalOfOne(
  { capacity, kind, key, waitingRoom }: Demand,
  now: number,
): ThrottledResource | undefined {
  return waitingRoom === undefined
    ? capacity.refusal(kind, capacity.partitions.find(key), now)
    : waitingRoom.refusal(key, now)
}

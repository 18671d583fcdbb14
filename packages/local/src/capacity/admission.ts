import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { AccessKind } from '../partition/partition.js'
import type { KeyspaceCapacity } from './keyspace-capacity.js'
import { currentAccount, type Refusal } from './request-account.js'
import { Throttled, type ThrottledResource } from './throttled.js'
import type { BillingMode } from './throughput.js'

/** The capacity that a request needs from one table or index, at a key. */
export interface Demand {
  readonly capacity: KeyspaceCapacity
  readonly kind: AccessKind
  readonly key: EncodedKey
  readonly units: number
  /**
   * Present when the capacity is not needed at once, and the write may wait for it while the waiting room has space.
   */
  readonly waitingRoom?: WaitingRoom
}

/** The queue of an index for writes that wait for capacity. A queued write takes its units when its turn comes. */
interface WaitingRoom {
  /** The reason why one more write cannot join, or `undefined`. */
  refusal(key: EncodedKey, now: number): ThrottledResource | undefined
}

/** Whether limits are enforced. Consumption is recorded in either case. */
export interface Enforcement {
  readonly throttle: boolean
}

/**
 * Admits all demands of a request, or none: when one is throttled, no units are taken.
 * @throws Throttled with the reason of every demand that was throttled.
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

/**
 * Returns the reasons why demands are throttled, or `undefined` when they may be taken. Each reason is recorded where
 * it occurred.
 */
export function refusalOf(
  demands: readonly Demand[],
  billingMode: BillingMode,
  now: number,
  { throttle }: Enforcement,
): Throttled | undefined {
  if (!throttle) return undefined
  // Nearly all requests are admitted, and allocate nothing here.
  let reasons: ThrottledResource[] | undefined
  let refusals: Refusal[] | undefined
  for (const demand of demands) {
    const refusal = refusalOfOne(demand, now)
    if (refusal === undefined) continue
    reasons ??= []
    refusals ??= []
    const { capacity, kind, key } = demand
    const { resource, reason } = refusal
    if (!reasons.some((known) => known.reason === reason && known.resource === resource))
      reasons.push(refusal)
    const partition = capacity.partitions.find(key)
    refusals.push({ resource, kind, partition: partition.id, reason })
    capacity.throttle(kind, partition, key, reason, now)
  }
  const [first, ...others] = reasons ?? []
  if (first === undefined) return undefined
  currentAccount()?.refusals.push(refusals ?? [])
  return new Throttled(billingMode, [first, ...others])
}

/** Takes the units of demands that were not throttled. */
export function takeAll(demands: readonly Demand[], now: number): void {
  const account = currentAccount()
  for (const { capacity, kind, key, units, waitingRoom } of demands) {
    if (waitingRoom !== undefined && account === undefined) continue
    const partition = capacity.partitions.find(key)
    account?.takes.push({ resource: capacity.resource, kind, partition: partition.id, units })
    if (waitingRoom === undefined) capacity.take(kind, partition, key, units, now)
  }
}

function refusalOfOne(
  { capacity, kind, key, waitingRoom }: Demand,
  now: number,
): ThrottledResource | undefined {
  return waitingRoom === undefined
    ? capacity.refusal(kind, capacity.partitions.find(key), now)
    : waitingRoom.refusal(key, now)
}

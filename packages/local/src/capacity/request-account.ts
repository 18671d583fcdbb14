import { AsyncLocalStorage } from 'node:async_hooks'
import type { AccessKind } from '../partition/partition.js'
import type { ThrottlingReason } from './throttled.js'

/** A partition of a table or of a global index. */
interface PartitionOf {
  /** ARN of the table or index. */
  readonly resource: string
  readonly kind: AccessKind
  /** The partition's number within the table or index. */
  readonly partition: number
}

/** Units that a request took from a partition, or that wait there for their turn. */
interface Take extends PartitionOf {
  readonly units: number
}

/** Where a request, or a member of one, found no capacity. */
export interface Refusal extends PartitionOf {
  readonly reason: ThrottlingReason
}

/** What one request took and where it was refused, in order. A member of a batch that is refused is one entry. */
export interface RequestAccount {
  readonly takes: Take[]
  readonly refusals: (readonly Refusal[])[]
}

/**
 * The account follows a request through the promises it waits for. Handing it down instead would put one more parameter
 * into every layer, and its cost into every request, for something that is only there while a trace is recorded.
 */
const accounts = new AsyncLocalStorage<RequestAccount>()

/** Does the work of one request. @returns what it gives back; the account fills as the work goes on. */
export function accountFor<T>(account: RequestAccount, work: () => T): T {
  return accounts.run(account, work)
}

/** The account of the request that is being worked on; nothing when nobody asked for one. */
export function currentAccount(): RequestAccount | undefined {
  return accounts.getStore()
}

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

/** Units that a request took from a partition, or that a queued index write will take there. */
export interface Take extends PartitionOf {
  readonly units: number
}

/** A throttled demand of a request, or of one member of a batch. */
export interface Refusal extends PartitionOf {
  readonly reason: ThrottlingReason
}

/** The units that one request took and its throttled demands, in order. A throttled member of a batch is one entry. */
export interface RequestAccount {
  readonly takes: Take[]
  readonly refusals: (readonly Refusal[])[]
}

/**
 * The account follows a request through its asynchronous calls. Passing it down instead would add a parameter to every
 * layer, and a cost to every request, for data that exists only while a trace is recorded.
 */
const accounts = new AsyncLocalStorage<RequestAccount>()

/** Runs the work of one request, and records into the account as it proceeds. @returns the result of the work. */
export function accountFor<T>(account: RequestAccount, work: () => T): T {
  return accounts.run(account, work)
}

/** The account of the current request, or `undefined` when none is recorded. */
export function currentAccount(): RequestAccount | undefined {
  return accounts.getStore()
}

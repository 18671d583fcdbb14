import type { AttributeValue, WriteRequest } from '@aws-sdk/client-dynamodb'
import { StoppedAttempt } from '../attempts/attempt-guard.js'
import type { AnyCommand, PhysicalClient, SendOptions } from '../sdk/physical-client.js'
import { tableNameOf } from '../sdk/tables-by-name.js'
import { throttleOf } from '../sdk/throttle.js'
import { type IndexWrite, indexWritesIn } from './index-write.js'

type PutRequests = Readonly<Record<string, readonly WriteRequest[]>>

interface Answer {
  readonly UnprocessedItems?: PutRequests | undefined
}

/**
 * A client that observes every request which writes to an index with dynamic counts. It is the one place that all writes
 * pass: single ones, batches and transactions, to sharded and unsharded tables. A batch that leaves members unprocessed
 * gives no reason, so those are neither accepted nor evidence here.
 */
export function sensingClient(client: PhysicalClient): PhysicalClient {
  const send = async (command: AnyCommand, options?: SendOptions): Promise<unknown> => {
    const writes = indexWritesIn(command.input)
    if (writes.length === 0) return client.send(command as never, options)
    for (const write of writes) write.sent()
    try {
      const output: object = await client.send(command as never, options)
      for (const write of acceptedOf(writes, output)) write.accepted()
      return output
    } catch (error) {
      const throttle = error instanceof StoppedAttempt ? error.throttle : throttleOf(error)
      if (throttle !== undefined) for (const write of writes) write.refused(throttle.error)
      throw error
    }
  }
  return Object.create(client, { send: { value: send } })
}

/** The writes without those that a batch left unprocessed: of writes with the same entry, as many as it left. */
function acceptedOf(writes: readonly IndexWrite[], { UnprocessedItems }: Answer): Iterable<IndexWrite> {
  const accepted = new Set(writes)
  for (const [tableName, requests] of Object.entries(UnprocessedItems ?? {})) {
    for (const { PutRequest } of requests) {
      const left = writesOf(writes, tableNameOf(tableName), PutRequest?.Item)
      for (const write of left) write.leftUnprocessed()
      // An item has one entry in each of its indexes.
      for (const counts of new Set(left.map((write) => write.counts))) {
        const one = left.find((write) => write.counts === counts && accepted.has(write))
        if (one !== undefined) accepted.delete(one)
      }
    }
  }
  return accepted
}

/** The writes of the table with the entries of the item. */
function writesOf(
  writes: readonly IndexWrite[],
  table: string | undefined,
  item: Readonly<Record<string, AttributeValue>> | undefined,
): readonly IndexWrite[] {
  if (item === undefined) return []
  return writes.filter((write) => write.counts.table === table && write.isIn(item))
}

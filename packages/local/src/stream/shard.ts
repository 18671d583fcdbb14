import type { Random } from '@isotherm/runtime'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { SequenceNumber } from './sequence-number.js'

/**
 * A part of a stream: the records of one partition until the partition is split, and for some hours at most. Plain
 * data, which a durable store saves unchanged.
 */
export interface Shard {
  readonly id: string
  /** The shard of the partition from which this one was split. Readers should read it to its end first. */
  readonly parentId?: string
  /** The first key of its partition. */
  readonly from: EncodedKey
  readonly startingSequenceNumber: SequenceNumber
  /** In milliseconds since the epoch. */
  readonly openedAt: number
  /** Present once the shard is closed. A closed shard receives no more records. */
  readonly endingSequenceNumber?: SequenceNumber
  readonly closedAt?: number
}

/** Opens a shard. The identifiers of shards sort by creation time. */
export function openShard(
  from: EncodedKey,
  startingSequenceNumber: SequenceNumber,
  now: number,
  random: Random,
  parentId?: string,
): Shard {
  const time = String(Math.floor(now)).padStart(20, '0')
  const chance = Math.floor(random.next() * 0x1_0000_0000)
    .toString(16)
    .padStart(8, '0')
  const id = `shardId-${time}-${chance}`
  return { id, ...(parentId === undefined ? {} : { parentId }), from, startingSequenceNumber, openedAt: now }
}

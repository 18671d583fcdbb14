import type { Random } from '@isotherm/runtime'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { SequenceNumber } from './sequence-number.js'

/**
 * A part of a stream: the records of one partition for as long as the partition is not cut, and some hours at most.
 * Plain data, kept as it is by a durable store.
 */
export interface Shard {
  readonly id: string
  /** The shard whose partition this one's came from: to be read to its end before this one. */
  readonly parentId?: string
  /** Where its partition begins. */
  readonly from: EncodedKey
  readonly startingSequenceNumber: SequenceNumber
  /** In milliseconds since the epoch. */
  readonly openedAt: number
  /** There once it is closed: it will hold nothing more. */
  readonly endingSequenceNumber?: SequenceNumber
  readonly closedAt?: number
}

/** Opens a shard. Identifiers sort by the time of their birth. */
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

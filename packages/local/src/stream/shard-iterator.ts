import type { SequenceNumber } from './sequence-number.js'

/** Documented: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_GetShardIterator.html */
const LIFETIME_MILLISECONDS = 15 * 60_000

/** A reader's position in a shard. Readers get it as an opaque text. */
export interface ShardIterator {
  readonly streamArn: string
  readonly shardId: string
  /** The record after which to continue. `undefined` begins with the oldest record. */
  readonly after: SequenceNumber | undefined
  /** In milliseconds since the epoch. */
  readonly issuedAt: number
}

export function isExpired({ issuedAt }: ShardIterator, now: number): boolean {
  return issuedAt + LIFETIME_MILLISECONDS <= now
}

export function printIterator({ streamArn, shardId, after, issuedAt }: ShardIterator): string {
  const place = Buffer.from(JSON.stringify([shardId, after ?? null, Math.floor(issuedAt)]))
  return `${streamArn}|1|${place.toString('base64')}`
}

/** Parses an iterator. Returns `undefined` when the text is not a printed iterator. */
export function parseIterator(text: string): ShardIterator | undefined {
  const [streamArn, version, place] = text.split('|')
  if (streamArn === undefined || version !== '1' || place === undefined) return undefined
  try {
    const parsed: unknown = JSON.parse(Buffer.from(place, 'base64').toString())
    if (!Array.isArray(parsed)) return undefined
    const [shardId, after, issuedAt]: unknown[] = parsed
    const isPlace = typeof shardId === 'string' && (after === null || isNumberText(after))
    if (!isPlace || typeof issuedAt !== 'number') return undefined
    return { streamArn, shardId, after: after ?? undefined, issuedAt }
  } catch {
    return undefined
  }
}

function isNumberText(value: unknown): value is SequenceNumber {
  return typeof value === 'string' && /^\d{21,40}$/.test(value)
}

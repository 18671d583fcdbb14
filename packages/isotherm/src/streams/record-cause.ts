import { MOVE_ATTRIBUTES } from '../protocol/moves/move-attributes.js'
import type { StreamImage, StreamRecord } from './stream-record.js'

/**
 * Who is behind a stream record: the `application`, or the library's own `move` of an item between shards, which changes
 * nothing that the application can see. `unknown` comes only of streams whose view type leaves out the image that would tell.
 */
export type RecordCause = 'application' | 'move' | 'unknown'

/**
 * A move leaves three records: a MODIFY that marks the item at its source, its REMOVE, and an INSERT at its target; and a MODIFY
 * more for each other target that it had to take. Only the INSERT is told by the mark of the target, since that one stays: later
 * changes of the item are the application's.
 */
export function recordCause(record: StreamRecord): RecordCause {
  const { NewImage, OldImage } = record.dynamodb ?? {}
  switch (record.eventName) {
    case 'INSERT':
      return told(NewImage, MOVE_ATTRIBUTES.moved)
    case 'REMOVE':
      return isExpiry(record) ? 'application' : told(OldImage, MOVE_ATTRIBUTES.moving)
    case 'MODIFY':
      return causeOfChange(NewImage, OldImage)
    default:
      return 'unknown'
  }
}

/**
 * The mover sets a mark, or another one where the target was occupied, and never takes one away. All else is the application's: an
 * append whose shard is that of a marked item replaces it, mark and all, and who writes past the library may change it beside a mark
 * that stays.
 *
 * No record is both. The mover changes nothing but the mark, and nobody else knows a name for a move.
 */
function causeOfChange(to: StreamImage | undefined, from: StreamImage | undefined): RecordCause {
  if (to === undefined) return 'unknown'
  const mark = markOf(to)
  return mark === undefined || mark === markOf(from) ? 'application' : 'move'
}

/** The text of the mark, which no two moves of an item have in common. */
function markOf(image: StreamImage | undefined): string | undefined {
  const mark: { readonly S?: string } | undefined = image?.[MOVE_ATTRIBUTES.moving]
  return mark?.S
}

function told(image: StreamImage | undefined, mark: string): RecordCause {
  if (image === undefined) return 'unknown'
  return mark in image ? 'move' : 'application'
}

/**
 * An item that expires between its mark and its move is gone for the application too. The members are written in lower case
 * in Lambda's events.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-streams.html
 */
function isExpiry({ userIdentity }: StreamRecord): boolean {
  const { PrincipalId, principalId } = Object(userIdentity)
  return (PrincipalId ?? principalId) === 'dynamodb.amazonaws.com'
}

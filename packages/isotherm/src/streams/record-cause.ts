import { MOVE_ATTRIBUTES } from '../moves/move-attributes.js'
import type { StreamImage, StreamRecord } from './stream-record.js'

/**
 * Who is behind a stream record: the `application`, or the library's own `move` of an item between shards, which changes
 * nothing that the application can see. `unknown` comes only of streams whose view type leaves out the image that would tell.
 */
export type RecordCause = 'application' | 'move' | 'unknown'

/**
 * A move leaves three records: a MODIFY that marks the item at its source, its REMOVE, and an INSERT at its target. Only the
 * INSERT is told by the mark of the target, since that one stays: later changes of the item are the application's.
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

/** The mover sets its mark, or takes it away again; what changes beside a mark that stays is the application's. */
function causeOfChange(to: StreamImage | undefined, from: StreamImage | undefined): RecordCause {
  const isMarked = to !== undefined && MOVE_ATTRIBUTES.moving in to
  const wasMarked = from !== undefined && MOVE_ATTRIBUTES.moving in from
  if (to !== undefined && from !== undefined) return isMarked === wasMarked ? 'application' : 'move'
  if (isMarked) return 'move'
  return to === undefined ? 'unknown' : 'application'
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

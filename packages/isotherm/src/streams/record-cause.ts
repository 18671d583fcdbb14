import { isDeepStrictEqual } from 'node:util'
import { isMarkOfReplacement, MOVE_ATTRIBUTES } from '../protocol/index.js'
import type { StreamImage, StreamRecord } from './stream-record.js'

/**
 * The cause of a stream record: a write of the `application`, or the library's own `move` of an item between shards,
 * which does not change the item. `unknown` occurs only when the stream's view type lacks the image that is needed to
 * decide.
 */
export type RecordCause = 'application' | 'move' | 'unknown'

/**
 * A move produces three records: a MODIFY that marks the item in its source shard, its REMOVE, and an INSERT in its
 * target shard. Each further target that the move had to choose adds a MODIFY. If no target has room for the item, another MODIFY takes the
 * mark off. The mark in the target item decides only
 * for the INSERT, because it remains in the item, and later changes of the item are the application's.
 *
 * A put that replaces an item in another shard produces a REMOVE without a mark, which looks like that of any deletion, and an INSERT.
 * Both are the application's.
 */
export function recordCause(record: StreamRecord): RecordCause {
  const { NewImage, OldImage } = record.dynamodb ?? {}
  switch (record.eventName) {
    case 'INSERT':
      return isMarkOfReplacement(textOf(NewImage, MOVE_ATTRIBUTES.moved))
        ? 'application'
        : told(NewImage, MOVE_ATTRIBUTES.moved)
    case 'REMOVE':
      return isExpiry(record) ? 'application' : told(OldImage, MOVE_ATTRIBUTES.moving)
    case 'MODIFY':
      return causeOfChange(NewImage, OldImage)
    default:
      return 'unknown'
  }
}

/**
 * The mover only sets a mark, replaces it when the target was occupied, or removes it when the target has no room. All other changes
 * are the application's. An append to the shard of a marked item replaces the item including its mark, and a writer
 * that bypasses the library may change an item and leave its mark. A write that changes nothing else has no record in an unsharded table.
 *
 * No record has both causes: the mover changes only the mark, and only the mover knows the name of a move.
 */
function causeOfChange(to: StreamImage | undefined, from: StreamImage | undefined): RecordCause {
  if (to === undefined) return 'unknown'
  const mark = textOf(to, MOVE_ATTRIBUTES.moving)
  const before = textOf(from, MOVE_ATTRIBUTES.moving)
  if (mark !== undefined) return mark === before ? 'application' : 'move'
  if (before === undefined) return 'application'
  const { [MOVE_ATTRIBUTES.moving]: _mark, ...content } = { ...from }
  return isDeepStrictEqual(content, { ...to }) ? 'move' : 'application'
}

/** The text of a mark, which is different for every move of an item. */
function textOf(image: StreamImage | undefined, name: string): string | undefined {
  const mark: { readonly S?: string } | undefined = image?.[name]
  return mark?.S
}

function told(image: StreamImage | undefined, mark: string): RecordCause {
  if (image === undefined) return 'unknown'
  return mark in image ? 'move' : 'application'
}

/**
 * An item that expires between its mark and its move is also deleted for the application. In Lambda's events the
 * members begin with lower case. Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-streams.html
 */
function isExpiry({ userIdentity }: StreamRecord): boolean {
  const { PrincipalId, principalId } = Object(userIdentity)
  return (PrincipalId ?? principalId) === 'dynamodb.amazonaws.com'
}

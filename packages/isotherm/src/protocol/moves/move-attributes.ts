/**
 * Attributes of an item that is moved from one shard to another. They are part of the item as it is stored and are never
 * shown by the library.
 */
export const MOVE_ATTRIBUTES = {
  /** On the copy at the source, until it is deleted: its text names the move, and no write touches such an item. */
  moving: 'isotherm_moving',
  /** On the copy at the target: its text tells the shards it came from. The next put of the item is without it. */
  moved: 'isotherm_moved',
} as const

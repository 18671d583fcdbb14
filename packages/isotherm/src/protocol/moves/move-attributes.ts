/**
 * Attributes of an item that moves from one shard to another. They are part of the stored item. The library never returns them to
 * the application.
 */
export const MOVE_ATTRIBUTES = {
  /** On the copy at the source, until it is deleted. The text names the move. No write of the application changes such an item. */
  moving: 'isotherm_moving',
  /** On the copy at the target. The text names the shards that the item came from. The next put of the item removes it. */
  moved: 'isotherm_moved',
} as const

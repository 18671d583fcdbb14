/**
 * Attributes that the library itself puts on an item while it moves it from one shard to another. `moving` stands on the
 * item at its source from the moment the move begins; `moved` stays on the item at its target. Neither is ever shown to
 * the application.
 */
export const MOVE_ATTRIBUTES = { moving: 'isotherm_moving', moved: 'isotherm_moved' } as const

/** After this share of its lifetime, what was read and is in use is refreshed in the background, so that no request waits for it. */
export const REFRESH_AFTER = 0.5

/** A refresh that failed is not tried again for so long, however many requests come meanwhile. */
export const REFRESH_PAUSE_MILLISECONDS = 1_000

/**
 * How long later requests join a read of the shard map. A client without a timeout of its own may wait for a lost answer for ever, and
 * the shard map may answer again meanwhile.
 */
export const JOINED_MILLISECONDS = 5_000

/**
 * How long later requests join a read of the shard map. A client without a timeout of its own may wait for a lost answer for ever, and
 * the shard map may answer again meanwhile.
 */
export const JOINED_MILLISECONDS = 5_000

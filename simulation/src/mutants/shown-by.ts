/** Where bugs of single items show. */
export const ITEMS = ['shared-items', 'counters'] as const

/** Where bugs of appends show. */
export const LOGS = ['hot-key-ramp', 'flash-crowd', 'moving-hot-spot', 'steady-zipf'] as const

/** Where bugs of finding an append by its key show. */
export const KEPT = ['kept-appends'] as const

/** Where bugs of indexes show. */
export const INDEXED = ['indexed-items', 'queue', 'pool'] as const

/** Where bugs of requests about many items show. */
export const TOGETHER = ['shared-items', 'transfers', 'search', 'queue'] as const

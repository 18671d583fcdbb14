import { type Mode, SINGLE_APPENDS, without } from './mode.js'

/** Each of them reads the whole card again and again. */
const MOST_PROCESSES = 6

/**
 * The card gets so many keys of others that it has room for one more. The second key of the run that changes its count makes the card list
 * all keys, while processes still know the card that lists some.
 */
export const FULL_CARD: Mode = {
  workloads: [...SINGLE_APPENDS, 'kept-appends', 'shared-items', 'transfers'],
  notPromised: [],
  apply: (drawn) => {
    const settings = without(drawn)
    return {
      ...settings,
      processes: Math.min(MOST_PROCESSES, settings.processes),
      keys: Math.max(4, settings.keys),
      operatorMilliseconds: 2_000,
      table: { ...settings.table, cardIsFull: true },
    }
  },
}

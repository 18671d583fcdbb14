import { setImmediate } from 'node:timers'

/**
 * Calls back on the next turn of the event loop. It is Node's function as it was when this module was loaded: fake timers of vitest and
 * jest would call back only when the test says so.
 */
export const onNextTurn: (work: () => void) => unknown = setImmediate

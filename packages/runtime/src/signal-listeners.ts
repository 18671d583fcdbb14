import { setMaxListeners } from 'node:events'

/**
 * Lets any number of listeners wait for a signal. Without it, Node warns of a leak from the eleventh on.
 *
 * A page that a test emulates (happy-dom) replaces AbortController. Node's events refuse the signal of such a one, which never warns.
 */
export function allowManyListeners(signal: AbortSignal): void {
  try {
    setMaxListeners(0, signal)
  } catch (error) {
    if (Object(error).code !== 'ERR_INVALID_ARG_TYPE') throw error
  }
}

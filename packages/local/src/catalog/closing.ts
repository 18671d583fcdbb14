import { setMaxListeners } from 'node:events'

/**
 * Ends work in the background. Each job listens to its signal, so Node must not warn of many listeners.
 *
 * A page that a test emulates (happy-dom) replaces AbortController. Node's events refuse the signal of such a one, which never warns.
 */
export function closingController(): AbortController {
  const closing = new AbortController()
  try {
    setMaxListeners(0, closing.signal)
  } catch (error) {
    if (Object(error).code !== 'ERR_INVALID_ARG_TYPE') throw error
  }
  return closing
}

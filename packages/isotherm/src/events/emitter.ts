import { publish } from './diagnostics.js'
import type { Emit, IsothermEvent } from './event.js'

/**
 * Sends events to the listener in the options, and to subscribers of the diagnostics channels.
 *
 * A listener that throws must not fail the write that emitted the event, and must not be ignored either. So Node prints
 * a warning. The type also accepts an `async` listener. Its promise is not awaited, and without a handler its rejection
 * would end the process.
 */
export function emitter(listener: ((event: IsothermEvent) => void) | undefined): Emit {
  if (listener === undefined) return publish
  return async (event) => {
    publish(event)
    try {
      await listener(event)
    } catch (error) {
      process.emitWarning(`onEvent threw at '${event.type}': ${String(error)}`, 'IsothermWarning')
    }
  }
}

import { publish } from './diagnostics.js'
import type { Emit, IsothermEvent } from './event.js'

/**
 * Tells the listener in the options and whoever subscribed to the diagnostics channels.
 *
 * A listener that throws must not fail the write it hears of, and must not be silent either: Node reports it as a warning. An
 * `async` one is a listener to the type system too. Nobody waits for it, and its rejection would end the process.
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

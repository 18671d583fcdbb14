import { type Channel, channel } from 'node:diagnostics_channel'
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
      process.emitWarning(`onEvent threw at '${event.type}': ${textOf(error)}`, 'IsothermWarning')
    }
  }
}

/** Any value can be thrown, even one that throws when it is printed. */
function textOf(error: unknown): string {
  try {
    return String(error)
  } catch {
    return 'a value that cannot be printed'
  }
}

/** Stored here, because Node keeps a channel only while it is referenced. */
const channels = new Map<IsothermEvent['type'], Channel>()

/**
 * Publishes an event to the diagnostics channel of its type, such as `isotherm:throttled`, if it has subscribers. Node
 * raises an error in a subscriber as an uncaught exception of the process, after the publishing code has continued.
 *
 * Source: https://nodejs.org/api/diagnostics_channel.html
 */
const publish: Emit = (event) => {
  const known = channels.get(event.type) ?? opened(event.type)
  if (known.hasSubscribers) known.publish(event)
}

function opened(type: IsothermEvent['type']): Channel {
  const made = channel(`isotherm:${type}`)
  channels.set(type, made)
  return made
}

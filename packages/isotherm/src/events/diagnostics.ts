import { type Channel, channel } from 'node:diagnostics_channel'
import type { Emit, IsothermEvent } from './event.js'

/** Held here, because Node keeps a channel only as long as somebody does. */
const channels = new Map<IsothermEvent['type'], Channel>()

/**
 * Publishes an event to the diagnostics channel of its type, `isotherm:throttled` and so on, if anybody listens. What a
 * subscriber throws Node raises as an uncaught exception of the process, after the write that is told of went on.
 *
 * Source: https://nodejs.org/api/diagnostics_channel.html
 */
export const publish: Emit = (event) => {
  const known = channels.get(event.type) ?? opened(event.type)
  if (known.hasSubscribers) known.publish(event)
}

function opened(type: IsothermEvent['type']): Channel {
  const made = channel(`isotherm:${type}`)
  channels.set(type, made)
  return made
}

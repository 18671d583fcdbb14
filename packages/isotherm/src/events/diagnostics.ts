import { type Channel, channel } from 'node:diagnostics_channel'
import type { Emit, IsothermEvent } from './event.js'

/** Stored here, because Node keeps a channel only while it is referenced. */
const channels = new Map<IsothermEvent['type'], Channel>()

/**
 * Publishes an event to the diagnostics channel of its type, such as `isotherm:throttled`, if it has subscribers. Node
 * raises an error in a subscriber as an uncaught exception of the process, after the publishing code has continued.
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

import type { ScaledEvent } from '@isotherm/console'
import type { IsothermEvent } from 'isotherm'

/**
 * An event of the library for the time axis, if it is a change of a shard count.
 * @param by the process that changed it, as people know it
 */
export function scaledEvent(event: IsothermEvent, by: string): ScaledEvent | undefined {
  if (event.type !== 'scaled') return undefined
  const { type, at, table, index, logicalKey, from, to, reason } = event
  const key = typeof logicalKey === 'string' ? logicalKey : Buffer.from(logicalKey).toString('base64')
  return { type, at, table, ...(index === undefined ? {} : { index }), key, from, to, reason, by }
}

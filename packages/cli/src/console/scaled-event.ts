import type { HeatEvent } from '@isotherm/console'
import type { IsothermEvent } from 'isotherm'

/** An event of the library for the time axis, if it is a change of a shard count. */
export function scaledEvent(event: IsothermEvent): HeatEvent | undefined {
  if (event.type !== 'scaled') return undefined
  const { type, at, table, index, logicalKey, from, to, reason } = event
  const key = typeof logicalKey === 'string' ? logicalKey : Buffer.from(logicalKey).toString('base64')
  return { type, at, table, ...(index === undefined ? {} : { index }), key, from, to, reason }
}

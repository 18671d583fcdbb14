import { IsothermError } from '../errors/isotherm-error.js'
import { throttleOf } from '../sdk/throttle.js'

const NOT_WRITTEN: ReadonlySet<string> = new Set([
  'shard-map.slow',
  'shard-map.unavailable',
  'shard-map.missing',
  'card.lost',
])

/**
 * Returns the error of a member that was certainly not written and may be sent again: a throttle of the table or of its shard map, or a
 * shard map that is too slow, does not answer, or has lost its contents. Such a member is left unprocessed. Thrown as the batch's error, it would mean that nothing was written,
 * although other members may have been.
 */
export function refusalOf(error: unknown): Error | undefined {
  if (error instanceof IsothermError && NOT_WRITTEN.has(error.code)) return error
  return throttleOf(error)?.error
}

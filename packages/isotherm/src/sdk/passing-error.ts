import { IsothermError } from '../errors/isotherm-error.js'
import { throttleOf } from './throttle.js'

/**
 * Whether an error passes by itself, so that the same request may soon succeed: a throttle, an error of the server, or a request
 * without a response. Others stay until somebody does something: a request that is refused, such as one without a permission; an error of
 * the library; an error of the application's own code.
 */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof IsothermError) return false
  if (throttleOf(error) !== undefined) return true
  // The SDK adds the metadata to errors of the network, too, which have no fault.
  return '$metadata' in error && (error as { readonly $fault?: unknown }).$fault !== 'client'
}

import type { Clock, Random } from '@isotherm/runtime'
import { backoffMilliseconds } from '../../attempts/backoff.js'
import { IsothermError } from '../../errors/isotherm-error.js'

/** How often a write of the shard map is sent before it fails. Each send has the SDK's own retries. */
const MAX_SENDS = 3

/** Sends a request that may be carried out twice, and sends it again if there was no response. */
export async function sendUntilAnswered<Output>(
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  send: () => Promise<Output>,
): Promise<Output> {
  for (let sent = 1; ; sent++) {
    try {
      return await send()
    } catch (error) {
      if (sent >= MAX_SENDS || !mayBeCarriedOut(error)) throw error
      await clock.sleep(backoffMilliseconds(random, sent))
    }
  }
}

/**
 * Whether the request may have taken effect: there was no response, or a server error. A refusal of the service is a client
 * error.
 */
function mayBeCarriedOut(error: unknown): boolean {
  return !(error instanceof IsothermError) && (error as { readonly $fault?: unknown }).$fault !== 'client'
}

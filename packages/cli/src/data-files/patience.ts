import { SystemClock } from '@isotherm/runtime'

/** About five minutes without any success. A table that is throttled so long needs more capacity. */
export const MAX_TRIES = 60

const PAUSE_MILLISECONDS = 100
const MAX_PAUSE_MILLISECONDS = 5_000

/** Exceptions after which the same request may succeed. The SDK's own attempts last for a second or two. */
const PASSING = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'InternalServerError',
  'ServiceUnavailable',
])

/** Whether a request failed for want of capacity: long work goes on after a rest. */
export function isPassing(error: unknown): boolean {
  return error instanceof Error && PASSING.has(error.name)
}

/** Whether a request failed for a reason that is over by itself: of its service, of capacity, or of the way there. */
export function isOutage(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const status = Object(Object(error).$metadata).httpStatusCode
  if (typeof status === 'number') return isPassing(error) || /^Throttl/.test(error.name) || status >= 500
  return error.name === 'TimeoutError' || /^E[A-Z_]+$/.test(String(Object(error).code))
}

/** Waits between two tries. Rejects when the signal is aborted. */
export function rest(tries: number, signal: AbortSignal): Promise<void> {
  const milliseconds = Math.min(MAX_PAUSE_MILLISECONDS, PAUSE_MILLISECONDS * 2 ** tries)
  return new SystemClock().sleep(milliseconds, signal)
}

/**
 * Sends a request again while the table lacks capacity.
 * @param onRest called before each rest
 * @throws the last error
 */
export async function patiently<Answer>(
  send: () => Promise<Answer>,
  signal: AbortSignal,
  onRest: () => void = () => undefined,
): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    try {
      return await send()
    } catch (error) {
      if (!isPassing(error) || tries + 1 >= MAX_TRIES) throw error
      onRest()
      await rest(tries, signal)
    }
  }
}

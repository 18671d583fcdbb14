import type { Call } from './item.js'

/** Waits. It rejects when the signal is aborted. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>

/** Exceptions after which the same request may succeed. */
const PASSING = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'InternalServerError',
  'ServiceUnavailable',
])
const FIRST_MILLISECONDS = 50
const MAX_MILLISECONDS = 2_000
/** About half a minute without any success. A partition that is throttled so long is in use by others. */
const MAX_ATTEMPTS = 20

/** How long to wait after attempts in a row that failed. */
export function restMilliseconds(attempt: number): number {
  return Math.min(MAX_MILLISECONDS, FIRST_MILLISECONDS * 2 ** attempt)
}

/** A `Call` for long work, which repeats requests that were throttled. */
export function patientCall(call: Call, sleep: Sleep, signal: AbortSignal): Call {
  return async (operation, input) => {
    for (let attempt = 0; ; attempt++) {
      signal.throwIfAborted()
      try {
        return await call(operation, input)
      } catch (error) {
        const isPassing = error instanceof Error && PASSING.has(error.name)
        if (!isPassing || attempt + 1 >= MAX_ATTEMPTS) throw error
        await sleep(restMilliseconds(attempt), signal)
      }
    }
  }
}

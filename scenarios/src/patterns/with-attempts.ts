import type { Clock } from '@isotherm/runtime'

/** As the SDK does by default, with its waits. */
const SDK_ATTEMPTS = 3
const SDK_WAIT_MILLISECONDS = 50

/** Sends a request as often as the SDK does by default. A client of a local world sends each request once. */
export async function withAttempts<Output>(clock: Clock, send: () => Promise<Output>): Promise<Output> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      if (attempt === SDK_ATTEMPTS) throw error
      await clock.sleep(SDK_WAIT_MILLISECONDS * 2 ** attempt)
    }
  }
}

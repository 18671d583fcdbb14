import { setMaxListeners } from 'node:events'
import { EXIT_INTERRUPTED } from './command-error.js'

/** Thrown when the user ends the command. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** The last one comes when the terminal is closed. Node also gets it under nohup, which would end the process at once. */
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Every request in flight listens to the signal, and Node takes more than ten listeners for a leak and prints a warning. */
const MAX_LISTENERS = 10_000

/**
 * A signal that aborts when the user presses Ctrl-C or closes the terminal, or when the process receives SIGTERM. After a second
 * Ctrl-C or SIGTERM, the process ends at once.
 *
 * The listeners are never removed: a library that restores the cursor kills the process when its own listener is the
 * only one.
 */
export function interruption(): AbortSignal {
  // The default, because the library derives signals from this one.
  setMaxListeners(MAX_LISTENERS)
  const controller = new AbortController()
  for (const name of ENDING_SIGNALS) {
    process.on(name, () => {
      // The shell of a terminal that is closed sends SIGHUP once more, and that is no sign of impatience.
      if (controller.signal.aborted && name !== 'SIGHUP') process.exit(EXIT_INTERRUPTED)
      controller.abort(new Interrupted(`Ended by ${name}.`))
    })
  }
  return controller.signal
}

/** What a signal of `interruption` has caused: the SDK has an error of its own for a request that was on its way. */
export function causeOf(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted && Object(error).name === 'AbortError' ? signal.reason : error
}

/** Resolves when the command should end. */
export function untilInterrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

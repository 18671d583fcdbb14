import { EXIT_INTERRUPTED } from './command-error.js'

/** Thrown where a person ended the command. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * A signal that is aborted when a person presses Ctrl-C, or the command is told to end. The second time the process ends
 * at once, whatever is under way.
 *
 * The listeners stay: a library that restores the cursor would otherwise find itself alone, and kill the process before
 * it has ended by itself.
 */
export function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(EXIT_INTERRUPTED)
      controller.abort(new Interrupted(`Ended by ${name}.`))
    })
  }
  return controller.signal
}

/** Resolves when the command shall end. */
export function untilInterrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

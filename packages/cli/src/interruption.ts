/** Thrown where a person ended the command. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * A signal that is aborted when a person presses Ctrl-C, or the command is told to end. The second time, Node ends the
 * process as it does by itself.
 */
export function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const name of SIGNALS) process.once(name, () => controller.abort(new Interrupted(`Ended by ${name}.`)))
  return controller.signal
}

/** Resolves when the command shall end. */
export function untilInterrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

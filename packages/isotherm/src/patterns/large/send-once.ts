import type { Sender } from '../sending/pattern-client.js'

type Handler = (args: unknown) => Promise<unknown>

interface Stack {
  add(middleware: (next: Handler) => Handler, options: object): void
}

/**
 * Stands for an error after which the SDK would send the request again. The error is not its `cause`, because the SDK looks at causes to decide
 * whether it sends a request again.
 */
class StoppedRetry extends Error {
  override readonly name = 'IsothermStoppedRetry'
  /** The error of the attempt. */
  readonly error: unknown

  constructor(error: unknown) {
    super('The request was not sent again.')
    this.error = error
  }
}

type SentOnce = { readonly isSent: true } | { readonly isSent: false; readonly error: unknown }

/**
 * Sends a command that must not reach the service twice: without the retries of the SDK.
 *
 * @returns the error of the attempt if the SDK would have sent it again. The command may have been carried out, or may be later
 * @throws errors after which the SDK does not retry
 */
export async function sendOnce(
  db: Sender,
  command: { readonly middlewareStack: object },
  abortSignal: AbortSignal | undefined,
): Promise<SentOnce> {
  let attempts = 0
  let failed: unknown
  const stack = command.middlewareStack as unknown as Stack
  stack.add(
    (next) => async (args) => {
      attempts += 1
      if (attempts > 1) throw new StoppedRetry(failed)
      try {
        return await next(args)
      } catch (error) {
        failed = error
        throw error
      }
    },
    // Below the SDK's retries, which begin this step, so that the SDK decides whether an error passes.
    { step: 'finalizeRequest', priority: 'normal', name: 'IsothermSendOnce' },
  )
  try {
    await db.send(command as never, (abortSignal && { abortSignal }) as never)
    return { isSent: true }
  } catch (error) {
    if (error instanceof StoppedRetry) return { isSent: false, error: error.error }
    throw error
  }
}

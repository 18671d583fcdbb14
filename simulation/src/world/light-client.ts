import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Clock, Random } from '@isotherm/runtime'
import type { Answer } from './engine-lane.js'
import { type RetryKind, retryDelay } from './retry-delay.js'
import { isThrottle } from './throttle.js'

interface AnyCommand {
  readonly input: object
  readonly middlewareStack: { applyToStack(stack: never): void }
}

/** What a client stands on: time, chance, and the way to the service. */
export interface ClientGround {
  readonly clock: Pick<Clock, 'sleep'>
  readonly random: Random
  /** One attempt of a request. */
  readonly deliver: (operation: string, input: object) => Promise<Answer>
}

type Handler = (args: object) => Promise<Answer>
type Middleware = (next: Handler, context: object) => Handler

/**
 * What an application and the library see of the SDK's client, and nothing else: commands with their own middleware, around
 * each attempt; retries; `$metadata`. A hundred times faster than the SDK's, which a part of the runs uses in its stead.
 *
 * @param maxAttempts of one request, the first included
 */
export function lightClient({ clock, random, deliver }: ClientGround, maxAttempts: number): DynamoDBClient {
  const send = async (
    command: AnyCommand,
    options?: { readonly abortSignal?: AbortSignal },
  ): Promise<object> => {
    const operation = command.constructor.name.slice(0, -'Command'.length)
    const delivery = () => deliver(operation, command.input)
    // As in the SDK, an aborted request ends below every middleware, and each attempt asks for the signal again.
    const attempt = attemptOf(command, () => {
      const abortSignal = options?.abortSignal
      return abortSignal === undefined ? delivery() : unlessAborted(abortSignal, delivery)
    })
    const args = { input: command.input }
    let waited = 0
    for (let attempts = 1; ; attempts++) {
      try {
        const { output } = await attempt(args)
        output.$metadata = { httpStatusCode: 200, attempts, totalRetryDelay: waited }
        return output
      } catch (error) {
        const kind = retryKindOf(error)
        if (kind === undefined || attempts >= maxAttempts) throw withMetadata(error, attempts, waited)
        const wait = retryDelay(random, kind, attempts - 1)
        waited += wait
        await clock.sleep(wait)
      }
    }
  }
  const middlewareStack = { applyToStack: () => {} }
  return { send, config: {}, middlewareStack, destroy: () => {} } as unknown as DynamoDBClient
}

function attemptOf(command: AnyCommand, last: Handler): Handler {
  const wrapped = new Wrapped(last)
  command.middlewareStack.applyToStack(wrapped as never)
  return wrapped.handler
}

/** What a command takes for a client's stack: it puts each middleware around the handler at once. */
class Wrapped {
  handler: Handler

  constructor(handler: Handler) {
    this.handler = handler
  }

  add(middleware: Middleware): void {
    this.handler = middleware(this.handler, {})
  }

  addRelativeTo(middleware: Middleware): void {
    this.add(middleware)
  }

  identifyOnResolve(): boolean {
    return false
  }
}

function unlessAborted<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = () => Object.assign(new Error('Request aborted'), { name: 'AbortError' })
    if (signal.aborted) return reject(aborted())
    const onAbort = () => reject(aborted())
    signal.addEventListener('abort', onAbort, { once: true })
    run().then(
      (output) => {
        signal.removeEventListener('abort', onAbort)
        resolve(output)
      },
      (error: unknown) => {
        signal.removeEventListener('abort', onAbort)
        reject(error)
      },
    )
  })
}

/** @returns `undefined` for an error that the SDK does not try again */
function retryKindOf(error: unknown): RetryKind | undefined {
  if (!(error instanceof Error)) return undefined
  if (isThrottle(error)) return 'throttled'
  if (error.name === 'TimeoutError') return 'transient'
  const { $metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } }
  return ($metadata?.httpStatusCode ?? 0) >= 500 ? 'transient' : undefined
}

function withMetadata(error: unknown, attempts: number, totalRetryDelay: number): unknown {
  if (!(error instanceof Error)) return error
  const known = error as Error & { $metadata?: { attempts?: number; totalRetryDelay?: number } }
  known.$metadata ??= {}
  known.$metadata.attempts = attempts
  known.$metadata.totalRetryDelay = totalRetryDelay
  return known
}

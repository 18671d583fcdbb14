import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Network } from './network.js'
import type { Process } from './process.js'

interface AnyCommand {
  readonly input: object
  readonly middlewareStack: { applyToStack(stack: never): void }
}

type Handler = (args: object) => Promise<{ readonly output: object }>
type Middleware = (next: Handler, context: object) => Handler

/** The SDK's standard mode for DynamoDB. */
const BASE_MILLISECONDS = 25
const THROTTLING_BASE_MILLISECONDS = 1_000
const MAX_MILLISECONDS = 20_000

const THROTTLES = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
])

/**
 * What an application and the library see of the SDK's client, and nothing else: commands with their own middleware, around
 * each attempt; retries; `$metadata`. A hundred times faster than the SDK's, which a part of the runs uses in its stead.
 *
 * @param maxAttempts of one request, the first included
 */
export function lightClient(process: Process, network: Network, maxAttempts: number): DynamoDBClient {
  const send = async (
    command: AnyCommand,
    options?: { readonly abortSignal?: AbortSignal },
  ): Promise<object> => {
    const operation = command.constructor.name.slice(0, -'Command'.length)
    const attempt = attemptOf(command, async () => ({
      output: await network.send(process, operation, command.input),
    }))
    let waited = 0
    for (let attempts = 1; ; attempts++) {
      try {
        const { output } = await unlessAborted(options?.abortSignal, () => attempt({ input: command.input }))
        return { ...output, $metadata: { httpStatusCode: 200, attempts, totalRetryDelay: waited } }
      } catch (error) {
        const base = retryBaseOf(error)
        if (base === undefined || attempts >= maxAttempts) throw withMetadata(error, attempts, waited)
        const wait = Math.min(MAX_MILLISECONDS, process.random.next() * base * 2 ** (attempts - 1))
        waited += wait
        await process.clock.sleep(wait, options?.abortSignal)
      }
    }
  }
  const middlewareStack = { applyToStack: () => {} }
  return { send, config: {}, middlewareStack, destroy: () => {} } as unknown as DynamoDBClient
}

function attemptOf(command: AnyCommand, last: Handler): Handler {
  let handler = last
  const add = (middleware: Middleware) => {
    handler = middleware(handler, {})
  }
  command.middlewareStack.applyToStack({ add, addRelativeTo: add, identifyOnResolve: () => false } as never)
  return handler
}

function unlessAborted<T>(signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> {
  if (signal === undefined) return run()
  return new Promise((resolve, reject) => {
    const aborted = () => Object.assign(new Error('Request aborted'), { name: 'AbortError' })
    if (signal.aborted) return reject(aborted())
    const onAbort = () => reject(aborted())
    signal.addEventListener('abort', onAbort, { once: true })
    run()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** @returns `undefined` for an error that the SDK does not try again */
function retryBaseOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  if (THROTTLES.has(error.name)) return THROTTLING_BASE_MILLISECONDS
  if (error.name === 'TimeoutError') return BASE_MILLISECONDS
  const { $metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } }
  return ($metadata?.httpStatusCode ?? 0) >= 500 ? BASE_MILLISECONDS : undefined
}

function withMetadata(error: unknown, attempts: number, totalRetryDelay: number): unknown {
  if (!(error instanceof Error)) return error
  const { $metadata } = error as { readonly $metadata?: object }
  return Object.assign(error, { $metadata: { ...$metadata, attempts, totalRetryDelay } })
}

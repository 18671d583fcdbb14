import type { ConsumedCapacity, DynamoDBClient } from '@aws-sdk/client-dynamodb'

type Input = Readonly<Record<string, unknown>>

/** A request as the client sends it, with physical keys. */
export interface SentRequest {
  readonly operation: string
  readonly input: Input
}

/** What the request has consumed, of all its tables. */
export interface SentUnits {
  readonly read: number
  readonly write: number
}

/**
 * Calls back before each request of the client, and after it. A request for which `before` throws is not sent. Retries of the SDK are
 * not seen.
 */
export function watchRequests(
  client: DynamoDBClient,
  {
    before = () => {},
    after = () => {},
  }: {
    readonly before?: (request: SentRequest) => void
    readonly after?: (request: SentRequest, units: SentUnits) => void
  },
): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const operation = commandName.replace(/Command$/, '')
        const request = { operation, input: args.input as Input }
        before(request)
        const asked = hasCapacity(operation) ? { ...args.input, ReturnConsumedCapacity: 'TOTAL' } : args.input
        const result = await next({ ...args, input: asked as never })
        after(request, unitsOf(operation, result.output as object as Input))
        return result
      },
    { step: 'initialize', priority: 'high', name: 'watchRequests' },
  )
}

function hasCapacity(operation: string): boolean {
  return /Item|Query|Scan/.test(operation)
}

function unitsOf(operation: string, { ConsumedCapacity = [] }: Input): SentUnits {
  const consumed = [ConsumedCapacity].flat() as ConsumedCapacity[]
  const sum = consumed.reduce((units, { CapacityUnits = 0 }) => units + CapacityUnits, 0)
  return /Get|Query|Scan/.test(operation) ? { read: sum, write: 0 } : { read: 0, write: sum }
}

import {
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  ExecuteStatementCommand,
  ExecuteTransactionCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { Trace, type TraceRequest } from '@isotherm/local'
import type { Clock } from '@isotherm/runtime'
import { endpointFailure, failureName, isForeign } from '../endpoint-failure.js'
import { sdkRequest } from './sdk-request.js'

/** Operations that read or write items. Tables are not made or changed at an endpoint. */
const COMMANDS: { readonly [operation: string]: new (input: never) => object } = {
  BatchExecuteStatement: BatchExecuteStatementCommand,
  BatchGetItem: BatchGetItemCommand,
  BatchWriteItem: BatchWriteItemCommand,
  DeleteItem: DeleteItemCommand,
  ExecuteStatement: ExecuteStatementCommand,
  ExecuteTransaction: ExecuteTransactionCommand,
  GetItem: GetItemCommand,
  PutItem: PutItemCommand,
  Query: QueryCommand,
  Scan: ScanCommand,
  TransactGetItems: TransactGetItemsCommand,
  TransactWriteItems: TransactWriteItemsCommand,
  UpdateItem: UpdateItemCommand,
}

/** More requests at a time mean that the endpoint does not keep up. Then requests wait, and come late. */
const MAX_IN_FLIGHT = 512
/** So many requests of which none was executed: the endpoint is wrong, or there are no valid credentials for it. */
const MAX_UNEXECUTED = 100
const THROTTLES = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
])

/** Requests that were sent to an endpoint, and what came of them. */
export interface LiveReplayReport {
  readonly endpoint: string
  readonly rate: number
  /** Whether Ctrl-C came before all requests of the trace were sent. */
  readonly endedEarly: boolean
  readonly requests: number
  readonly seconds: number
  readonly accepted: number
  readonly throttled: number
  /** Other errors, by name. */
  readonly errors: { readonly [name: string]: number }
  readonly leftOut: { readonly [operation: string]: number }
  /** Of responses without an error, in milliseconds. */
  readonly latency: { readonly p50: number; readonly p99: number; readonly max: number }
  readonly units: { readonly read: number; readonly write: number }
  /** The most that a request was late, in milliseconds: beyond a second the load was not offered as recorded. */
  readonly latest: number
  readonly perSecond: { readonly offered: readonly number[]; readonly throttled: readonly number[] }
}

export interface LiveReplayOptions {
  readonly path: string
  readonly endpoint: string
  readonly rate: number
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onProgress: (sent: number, seconds: number) => void
}

/**
 * Sends the requests of a trace at their recorded times to an endpoint, once each.
 * @throws CommandError if none of them is executed
 */
export async function liveReplay(
  client: DynamoDBClient,
  options: LiveReplayOptions,
): Promise<LiveReplayReport> {
  const run = new LiveRun(client, options)
  return run.run()
}

class LiveRun {
  readonly #client: DynamoDBClient
  readonly #options: LiveReplayOptions
  readonly #pending = new Set<Promise<void>>()
  readonly #latencies: number[] = []
  readonly #errors = new Map<string, number>()
  readonly #leftOut = new Map<string, number>()
  readonly #perSecond: { readonly offered: number[]; readonly throttled: number[] } = {
    offered: [],
    throttled: [],
  }
  readonly #units = { read: 0, write: 0 }
  #sent = 0
  #accepted = 0
  #throttled = 0
  #latest = 0
  #endedEarly = false
  #isExecuting = false
  #unexecuted: Error[] = []

  constructor(client: DynamoDBClient, options: LiveReplayOptions) {
    this.#client = client
    this.#options = options
  }

  async run(): Promise<LiveReplayReport> {
    const { path, endpoint, rate, clock, signal, onProgress } = this.#options
    const startedAt = clock.now()
    for (const request of new Trace(path).requests()) {
      this.#endedEarly = signal.aborted
      if (this.#endedEarly) break
      if (this.#unexecuted.length >= MAX_UNEXECUTED) break
      const command = commandOf(request)
      if (command === undefined) {
        this.#leftOut.set(request.operation, (this.#leftOut.get(request.operation) ?? 0) + 1)
        continue
      }
      const due = startedAt + request.at / rate
      if (due > clock.now()) await clock.sleep(due - clock.now(), signal).catch(() => {})
      while (this.#pending.size >= MAX_IN_FLIGHT) await Promise.race(this.#pending)
      this.#endedEarly = signal.aborted
      if (this.#endedEarly) break
      this.#latest = Math.max(this.#latest, clock.now() - due)
      this.#sent++
      const second = Math.floor((clock.now() - startedAt) / 1_000)
      count(this.#perSecond.offered, second)
      const pending = this.#send(command, second).finally(() => this.#pending.delete(pending))
      this.#pending.add(pending)
      if (this.#sent % 1_000 === 0) onProgress(this.#sent, second)
    }
    await Promise.all(this.#pending)
    const [unexecuted] = this.#unexecuted
    if (unexecuted !== undefined) {
      throw endpointFailure(`${endpoint} has executed no request of ${path}`, unexecuted)
    }
    const latencies = Float64Array.from(this.#latencies).sort()
    const quantile = (part: number) =>
      latencies[Math.min(latencies.length - 1, Math.floor(part * latencies.length))] ?? 0
    return {
      endpoint,
      rate,
      endedEarly: this.#endedEarly,
      requests: this.#sent,
      seconds: (clock.now() - startedAt) / 1_000,
      accepted: this.#accepted,
      throttled: this.#throttled,
      errors: Object.fromEntries([...this.#errors].sort()),
      leftOut: Object.fromEntries([...this.#leftOut].sort()),
      latency: { p50: quantile(0.5), p99: quantile(0.99), max: latencies.at(-1) ?? 0 },
      units: this.#units,
      latest: this.#latest,
      perSecond: {
        offered: Array.from(this.#perSecond.offered, (value) => value ?? 0),
        throttled: Array.from(this.#perSecond.offered, (_, second) => this.#perSecond.throttled[second] ?? 0),
      },
    }
  }

  #executed(): void {
    this.#isExecuting = true
    this.#unexecuted = []
  }

  async #send(command: object, second: number): Promise<void> {
    const { clock } = this.#options
    const from = clock.now()
    try {
      // Ctrl-C stops new requests; those on their way are awaited.
      const { ConsumedCapacity } = await this.#client.send(command as PutItemCommand)
      this.#accepted++
      this.#executed()
      this.#latencies.push(clock.now() - from)
      for (const consumed of [ConsumedCapacity].flat()) {
        if (consumed?.CapacityUnits !== undefined)
          this.#units[WRITES.test(command.constructor.name) ? 'write' : 'read'] += consumed.CapacityUnits
      }
    } catch (error) {
      const name = error instanceof Error ? failureName(error) || error.name : 'Error'
      if (isOfRequest(error)) this.#executed()
      else if (!this.#isExecuting && error instanceof Error) this.#unexecuted.push(error)
      if (THROTTLES.has(name)) {
        this.#throttled++
        count(this.#perSecond.throttled, second)
      } else this.#errors.set(name, (this.#errors.get(name) ?? 0) + 1)
    }
  }
}

/** Answers to callers that the service does not know. */
const UNKNOWN_CALLER =
  /UnrecognizedClient|InvalidClientToken|InvalidSignature|IncompleteSignature|ExpiredToken|MissingAuth/

/** Whether an error is what a request of the trace leads to, and not the want of an endpoint or of credentials. */
function isOfRequest(error: unknown): boolean {
  const { $metadata, name } = Object(error) as { readonly $metadata?: object; readonly name?: string }
  const status = Object($metadata).httpStatusCode
  return status !== undefined && !isForeign(error) && !UNKNOWN_CALLER.test(name ?? '')
}

const WRITES = /^(Put|Update|Delete|BatchWrite|TransactWrite)/

function commandOf({ operation, request }: TraceRequest): object | undefined {
  const Command = Object.hasOwn(COMMANDS, operation) ? COMMANDS[operation] : undefined
  return Command === undefined ? undefined : new Command(sdkRequest(request) as never)
}

function count(counts: number[], second: number): void {
  counts[second] = (counts[second] ?? 0) + 1
}

import {
  DynamoDBServiceException,
  ThrottlingException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb'
import type { Random } from '@isotherm/runtime'
import { type BatchParts, batchParts, unprocessedPart } from './batch-parts.js'
import type { Answer, Execute } from './engine-lane.js'
import { type FaultCounts, type Faults, noFaultsYet } from './faults.js'
import type { Process } from './process.js'
import type { Scheduler } from './scheduler.js'
import { isThrottle } from './throttle.js'
import { outcomeText, type Trace } from './trace.js'

/** Hears of every request that the service has carried out or refused, at that moment and in that order. */
export type OnExecuted = (request: ExecutedRequest) => void

export interface ExecutedRequest {
  readonly process: Process
  readonly operation: string
  readonly input: object
  /** `undefined` for one that was refused. */
  readonly output: Record<string, unknown> | undefined
  readonly error: unknown
}

const WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem'])

const READS = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan'])

/** What becomes of one attempt. */
type Fate =
  | 'arrives'
  | 'request lost'
  | 'reply lost'
  | 'late'
  | '500 before'
  | '500 after'
  | 'conflict'
  | 'throttled'

/** An attempt that is on its way. */
interface Sent {
  readonly at: number
  readonly fate: Fate
  /** Whether its process has ceased to wait when it arrives. */
  readonly isTimedOut: boolean
}

/** Everything between processes and the service: delays, losses, and what the service does wrong. */
export class Network {
  readonly #scheduler: Scheduler
  readonly #random: Random
  readonly #execute: Execute
  readonly #onExecuted: OnExecuted
  readonly #trace: Trace
  readonly counts: FaultCounts = noFaultsYet()
  requests = 0
  transactions = 0
  faults: Faults

  constructor(
    scheduler: Scheduler,
    { random, faults, trace }: { readonly random: Random; readonly faults: Faults; readonly trace: Trace },
    execute: Execute,
    onExecuted: OnExecuted,
  ) {
    this.#scheduler = scheduler
    this.#random = random
    this.faults = faults
    this.#execute = execute
    this.#onExecuted = onExecuted
    this.#trace = trace
  }

  /** One attempt of a process: resolves and rejects in that process, at the time of its answer. */
  send(process: Process, operation: string, input: object): Promise<Answer> {
    this.requests += 1
    if (operation === 'TransactWriteItems') this.transactions += 1
    const { timeoutMilliseconds } = this.faults
    const fate = this.#fate(operation)
    const sentAt = this.#scheduler.now()
    return new Promise((resolve, reject) => {
      const answer = (settle: () => void, after: number) =>
        this.#scheduler.after(after, () => process.deliver(settle))
      const timeOut = () => reject(timeoutError())
      if (fate === 'request lost') return answer(timeOut, timeoutMilliseconds)
      const delay = this.#delay(fate)
      const isTimedOut = delay >= timeoutMilliseconds || fate === 'reply lost'
      if (isTimedOut) answer(timeOut, timeoutMilliseconds)
      const sent = { at: sentAt, fate, isTimedOut }
      this.#scheduler.at(sentAt + delay, () => {
        if (fate === '500 before') return answer(() => reject(serverError()), this.#delay(fate))
        if (fate === 'conflict') return answer(() => reject(conflictError()), this.#delay(fate))
        if (fate === 'throttled') return answer(() => reject(readThrottle()), this.#delay(fate))
        const batch = this.faults.batchSpreadMilliseconds === 0 ? undefined : batchParts(operation, input)
        const carriedOut =
          batch === undefined
            ? this.#carryOut(process, operation, input, sent)
            : this.#carryOutParts(process, operation, batch, sent)
        carriedOut.then(
          (given) => {
            if (isTimedOut) return
            const isLostIn500 = fate === '500 after'
            answer(() => (isLostIn500 ? reject(serverError()) : resolve(given)), this.#delay(fate))
          },
          (error: unknown) => {
            if (!isTimedOut) answer(() => reject(error), this.#delay(fate))
          },
        )
      })
    })
  }

  #carryOut(process: Process, operation: string, input: object, sent: Sent): Promise<Answer> {
    const carriedOut = this.#execute(operation, input)
    // A third of all requests is refused: what was thrown is handed on, and not thrown again at every door.
    carriedOut.then(
      ({ output }) => this.#executed(process, operation, input, output, sent),
      (error: unknown) => this.#refused(process, operation, input, error, sent),
    )
    return carriedOut
  }

  #executed(
    process: Process,
    operation: string,
    input: object,
    output: Record<string, unknown>,
    sent: Sent,
  ): void {
    const outcome = this.#trace.keepsLines ? outcomeText(operation, output) : 'ok'
    this.#trace.executed(process.name, operation, input, outcome, this.#journey(sent))
    this.#onExecuted({ process, operation, input, output, error: undefined })
  }

  #refused(process: Process, operation: string, input: object, error: unknown, sent: Sent): void {
    const name = error instanceof Error ? error.name : String(error)
    if (isThrottle(error)) this.counts.throttles += 1
    this.#trace.executed(process.name, operation, input, name, this.#journey(sent))
    this.#onExecuted({ process, operation, input, output: undefined, error })
  }

  /** What a reader of a trace must know of an attempt to understand what its process does next. */
  #journey({ at, fate, isTimedOut }: Sent): string {
    if (!this.#trace.keepsLines) return ''
    const seconds = (this.#scheduler.now() - at) / 1_000
    const parts = [
      seconds >= 1 ? `sent ${seconds.toFixed(1)} s before` : '',
      isTimedOut ? 'its answer is lost' : '',
      fate === '500 after' ? 'answered with 500' : '',
    ]
    return parts.filter((part) => part !== '').join(', ')
  }

  /** A batch, each of its items at a moment of its own. */
  async #carryOutParts(process: Process, operation: string, batch: BatchParts, sent: Sent): Promise<Answer> {
    const { batchSpreadMilliseconds: spread, latestMilliseconds } = this.faults
    let throttle: unknown
    const carryOut = async (part: object) => {
      const at = this.#scheduler.now() + spread * this.#random.next()
      await this.#scheduler.sleep(Math.min(at, sent.at + latestMilliseconds) - this.#scheduler.now())
      try {
        return await this.#carryOut(process, operation, part, sent)
      } catch (error) {
        if (!isThrottle(error)) throw error
        throttle = error
        return undefined
      }
    }
    const answers = await Promise.all(batch.parts.map(carryOut))
    if (answers.every((answer) => answer === undefined)) throw throttle
    const outputs = answers.map(
      (answer, at) => answer?.output ?? unprocessedPart(operation, batch.parts[at] ?? {}),
    )
    return { output: batch.join(outputs) }
  }

  /** One draw decides, so that a fault that is switched off leaves the others where they are. */
  #fate(operation: string): Fate {
    const { lostRequests, lostReplies, lateRequests, serverErrors, conflicts, throttledReads } = this.faults
    let left = this.#random.next()
    const falls = (share: number) => {
      left -= share
      return left < 0
    }
    if (falls(lostRequests)) return this.#count('lost requests', 'request lost')
    if (falls(lostReplies)) return this.#count('lost replies', 'reply lost')
    if (falls(lateRequests)) return this.#count('late requests', 'late')
    if (falls(serverErrors / 2)) return this.#count('server errors', '500 before')
    if (falls(serverErrors / 2)) return this.#count('server errors', '500 after')
    if (falls(conflicts)) return WRITES.has(operation) ? this.#count('conflicts', 'conflict') : 'arrives'
    if (falls(throttledReads) && READS.has(operation)) return this.#count('throttles', 'throttled')
    return 'arrives'
  }

  #count(kind: keyof FaultCounts, fate: Fate): Fate {
    this.counts[kind] += 1
    return fate
  }

  /** Mostly about the usual, now and then a multiple of it, so that requests overtake each other. */
  #delay(fate: Fate): number {
    const { delayMilliseconds, latestMilliseconds } = this.faults
    const draw = this.#random.next()
    if (fate === 'late') return latestMilliseconds * (0.5 + draw / 2)
    return Math.min(latestMilliseconds, -delayMilliseconds * Math.log(1 - draw))
  }
}

/** As the SDK's request handlers name it; its retries take it for transient. */
function timeoutError(): Error {
  return Object.assign(new Error('The request was not answered in time.'), { name: 'TimeoutError' })
}

function serverError(): Error {
  return new DynamoDBServiceException({
    name: 'InternalServerError',
    message: 'The request could not be served.',
    $fault: 'server',
    $metadata: { httpStatusCode: 500 },
  })
}

function readThrottle(): Error {
  const resource = 'arn:aws:dynamodb:us-east-1:000000000000:table/any'
  return new ThrottlingException({
    message: 'Throughput exceeds the current capacity of your table or index.',
    throttlingReasons: [{ reason: 'TableReadKeyRangeThroughputExceeded', resource }],
    $metadata: { httpStatusCode: 400 },
  })
}

function conflictError(): Error {
  return new TransactionConflictException({
    message: 'Transaction is ongoing for the item',
    $metadata: { httpStatusCode: 400 },
  })
}

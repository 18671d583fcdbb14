import {
  DynamoDBServiceException,
  ThrottlingException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb'
import { type BatchParts, batchParts, unprocessedPart } from './batch-parts.js'
import type { Answer, Execute } from './engine-lane.js'
import { type FaultCounts, noFaultsYet } from './faults.js'
import { type Attempt, type Fate, type Journey, type Journeys, READS } from './journey.js'
import type { Process } from './process.js'
import type { Scheduler } from './scheduler.js'
import { isThrottle } from './throttle.js'
import { outcomeText, type Trace } from './trace.js'

/** Called for every request that the service has carried out or refused, at that moment and in that order. */
export type OnExecuted = (request: ExecutedRequest) => void

export interface ExecutedRequest {
  readonly process: Process
  readonly operation: string
  readonly input: object
  /** `undefined` for one that was refused. */
  readonly output: Record<string, unknown> | undefined
  readonly error: unknown
}

/** Called for every attempt, at the moment when its process sends it. */
export type OnSent = (attempt: Attempt) => void

/** An attempt that is on its way. */
interface Sent {
  readonly at: number
  readonly journey: Journey
  /** Whether its process has stopped waiting by the time it arrives. */
  readonly isTimedOut: boolean
}

/** What each fate adds to the counts of what went wrong. */
const COUNTED: Readonly<Partial<Record<Fate, keyof FaultCounts>>> = {
  'request lost': 'lost requests',
  'reply lost': 'lost replies',
  late: 'late requests',
  '500 before': 'server errors',
  '500 after': 'server errors',
  conflict: 'conflicts',
  throttled: 'throttles',
}

/** Everything between processes and the service: delays, losses, and errors of the service. */
export class Network {
  readonly #scheduler: Scheduler
  readonly #journeys: Journeys
  readonly #execute: Execute
  readonly #onExecuted: OnExecuted
  readonly #onSent: OnSent
  readonly #trace: Trace
  readonly counts: FaultCounts = noFaultsYet()
  requests = 0
  transactions = 0

  constructor(
    scheduler: Scheduler,
    { journeys, trace }: { readonly journeys: Journeys; readonly trace: Trace },
    execute: Execute,
    { onSent, onExecuted }: { readonly onSent: OnSent; readonly onExecuted: OnExecuted },
  ) {
    this.#scheduler = scheduler
    this.#journeys = journeys
    this.#execute = execute
    this.#onExecuted = onExecuted
    this.#onSent = onSent
    this.#trace = trace
  }

  /** One attempt of a process: resolves and rejects in that process, at the time of its answer. */
  send(process: Process, operation: string, input: object): Promise<Answer> {
    this.requests += 1
    if (operation === 'TransactWriteItems') this.transactions += 1
    const sentAt = this.#scheduler.now()
    const attempt = { process, operation, input, at: sentAt }
    const journey = this.#journeys.begin(attempt)
    this.#onSent(attempt)
    const { fate, timeoutMilliseconds } = journey
    const counted = COUNTED[fate]
    if (counted !== undefined) this.counts[counted] += 1
    return new Promise((resolve, reject) => {
      const after = (milliseconds: number, settle: () => void) =>
        this.#scheduler.after(milliseconds, () => process.deliver(settle))
      const answer = (settle: () => void) => after(journey.answerMilliseconds(), settle)
      const timeOut = () => reject(timeoutError())
      if (fate === 'request lost') return after(timeoutMilliseconds, timeOut)
      const delay = journey.delayMilliseconds()
      const isTimedOut = delay >= timeoutMilliseconds || fate === 'reply lost'
      if (isTimedOut) after(timeoutMilliseconds, timeOut)
      const sent = { at: sentAt, journey, isTimedOut }
      this.#scheduler.at(sentAt + delay, () => {
        if (fate === '500 before') return answer(() => reject(serverError()))
        if (fate === 'conflict') return answer(() => reject(conflictError()))
        if (fate === 'throttled') return answer(() => reject(keyRangeThrottle(operation)))
        const batch = journey.isSpread ? batchParts(operation, input) : undefined
        const carriedOut =
          batch === undefined
            ? this.#carryOut(process, operation, input, sent)
            : this.#carryOutParts(process, operation, batch, sent)
        carriedOut.then(
          (given) => {
            if (isTimedOut) return
            const isLostIn500 = fate === '500 after'
            answer(() => (isLostIn500 ? reject(serverError()) : resolve(given)))
          },
          (error: unknown) => {
            if (!isTimedOut) answer(() => reject(error))
          },
        )
      })
    })
  }

  #carryOut(process: Process, operation: string, input: object, sent: Sent): Promise<Answer> {
    const carriedOut = this.#execute(operation, input)
    // A third of all requests is refused. Throwing the same error again at each layer would cost too much.
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
    this.#trace.executed(process.name, operation, input, outcome, this.#note(sent))
    this.#onExecuted({ process, operation, input, output, error: undefined })
  }

  #refused(process: Process, operation: string, input: object, error: unknown, sent: Sent): void {
    const name = error instanceof Error ? error.name : String(error)
    if (isThrottle(error)) this.counts.throttles += 1
    this.#trace.executed(process.name, operation, input, name, this.#note(sent))
    this.#onExecuted({ process, operation, input, output: undefined, error })
  }

  /** What a reader of a trace must know of an attempt to understand the next step of its process. */
  #note({ at, journey: { fate }, isTimedOut }: Sent): string {
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
    let throttle: unknown
    const carryOut = async (part: object) => {
      await this.#scheduler.sleep(sent.journey.partMilliseconds(part, this.#scheduler.now()))
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

function keyRangeThrottle(operation: string): Error {
  const resource = 'arn:aws:dynamodb:us-east-1:000000000000:table/any'
  const kind = READS.has(operation) ? 'Read' : 'Write'
  return new ThrottlingException({
    message: 'Throughput exceeds the current capacity of your table or index.',
    throttlingReasons: [{ reason: `Table${kind}KeyRangeThroughputExceeded`, resource }],
    $metadata: { httpStatusCode: 400 },
  })
}

function conflictError(): Error {
  return new TransactionConflictException({
    message: 'Transaction is ongoing for the item',
    $metadata: { httpStatusCode: 400 },
  })
}

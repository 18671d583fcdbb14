import { randomInteger, SeededRandom } from '@isotherm/runtime'
import { AnsweredIds } from './answered-ids.js'
import { faultOf } from './check-answer.js'
import { happens } from './draw.js'
import { type Exchange, FuzzConnection } from './fuzz-connection.js'
import { type FuzzRequest, fuzzRequest } from './fuzz-request.js'

/** Options of the fuzzer. */
export interface FuzzOptions {
  readonly port: number
  /** How many requests to send. */
  readonly requests: number
  readonly seed: number
  readonly connections: number
  /** Called from time to time with the number of requests sent. */
  readonly onProgress?: (sent: number) => void
}

/** The result of a run. */
export interface FuzzReport {
  readonly requests: number
  /** Responses by status. */
  readonly statuses: ReadonlyMap<number, number>
  /** How often a request of each operation succeeded. */
  readonly succeeded: ReadonlyMap<string, number>
  /** Each fault with the bytes that caused it. Empty when there was none. */
  readonly faults: readonly string[]
}

const MAX_PIPELINE = 8
/** The run stops after this many faults, because more add no information. */
const MAX_FAULTS = 20
/** Among requests that may be broken anywhere, the share whose client disconnects without waiting. */
const ABORTED_SHARE = 0.3

/**
 * Sends valid and broken requests over several connections at once, and checks every response: each request has one,
 * none is a server failure, all are valid JSON with a type, and none reveals internals of the program.
 */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const statuses = new Map<number, number>()
  const succeeded = new Map<string, number>()
  const ids = new AnsweredIds()
  const faults: string[] = []
  let sent = 0
  const note = (requests: readonly FuzzRequest[], exchange: Exchange) => {
    for (const [place, { status, body }] of exchange.answers.entries()) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const request = requests[place]
      if (status !== 200 || request?.expects !== 'one') continue
      ids.read(body)
      succeeded.set(request.operation, (succeeded.get(request.operation) ?? 0) + 1)
    }
    const fault = faultIn(requests, exchange)
    if (fault !== undefined)
      faults.push(`${fault}, after ${requests.map(({ bytes }) => show(bytes)).join(' and ')}`)
  }
  const work = async (worker: number) => {
    const random = new SeededRandom(options.seed * 1000 + worker)
    const connection = new FuzzConnection(options.port)
    while (sent < options.requests && faults.length < MAX_FAULTS) {
      const batch = drawBatch(random, ids, Math.min(MAX_PIPELINE, options.requests - sent))
      const before = sent
      sent += batch.length
      if (Math.floor(sent / 100_000) > Math.floor(before / 100_000)) options.onProgress?.(sent)
      const [first] = batch
      if (first?.expects === 'any') {
        if (happens(random, ABORTED_SHARE)) await connection.leave(first.bytes)
        else note(batch, await connection.tell(first.bytes))
      } else {
        note(batch, await connection.ask(batch.map(({ bytes }) => bytes)))
      }
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: options.connections }, (_, worker) => work(worker)))
  return { requests: sent, statuses, succeeded, faults }
}

/** Several requests that each have a response, or one that may have any number of them. */
function drawBatch(random: SeededRandom, ids: AnsweredIds, most: number): readonly FuzzRequest[] {
  const size = randomInteger(random, 1, most)
  const batch: FuzzRequest[] = []
  while (batch.length < size) {
    const request = fuzzRequest(random, ids)
    if (request.expects === 'one') batch.push(request)
    else if (batch.length === 0) return [request]
  }
  return batch
}

function faultIn(requests: readonly FuzzRequest[], { answers, end, rest }: Exchange): string | undefined {
  for (const answer of answers) {
    const fault = faultOf(answer)
    if (fault !== undefined) return `${fault}: ${show(answer.body)}`
  }
  if (end === 'silent') return `no answer: ${answers.length} of ${requests.length} came`
  if (rest.length > 0) return `half an answer: ${show(rest)}`
  if (requests[0]?.expects === 'any') return undefined
  const isEnded = answers.at(-1)?.headers.get('connection') === 'close'
  return answers.length === requests.length || isEnded
    ? undefined
    : `${answers.length} answers for ${requests.length}`
}

function show(bytes: Buffer): string {
  return JSON.stringify(bytes.toString('latin1', 0, 4000))
}

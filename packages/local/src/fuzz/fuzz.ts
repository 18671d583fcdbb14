import { randomInteger, SeededRandom } from '@isotherm/runtime'
import { faultOf } from './check-answer.js'
import { happens } from './draw.js'
import { type Exchange, FuzzConnection } from './fuzz-connection.js'
import { type FuzzRequest, fuzzRequest } from './fuzz-request.js'

/** How to fuzz an endpoint. */
export interface FuzzOptions {
  readonly port: number
  /** How many requests to send. */
  readonly requests: number
  readonly seed: number
  readonly connections: number
  /** Told of how many have been sent, now and then. */
  readonly onProgress?: (sent: number) => void
}

/** What was found. */
export interface FuzzReport {
  readonly requests: number
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>
  /** What went wrong, with what was sent; empty when nothing did. */
  readonly faults: readonly string[]
}

const MAX_PIPELINE = 8
/** More faults than these tell nothing new. */
const MAX_FAULTS = 20
/** Of all requests that may be broken anywhere, those whose client does not even wait. */
const ABORTED_SHARE = 0.3

/**
 * Sends requests with anything wrong, over several connections at a time, and looks at every answer: each request has
 * one, none is a failure of the server, all are JSON that says what it is, and none shows the inside of the program.
 */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const statuses = new Map<number, number>()
  const faults: string[] = []
  let sent = 0
  const note = (requests: readonly FuzzRequest[], exchange: Exchange) => {
    for (const { status } of exchange.answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const fault = faultIn(requests, exchange)
    if (fault !== undefined)
      faults.push(`${fault}, after ${requests.map(({ bytes }) => show(bytes)).join(' and ')}`)
  }
  const work = async (worker: number) => {
    const random = new SeededRandom(options.seed * 1000 + worker)
    const connection = new FuzzConnection(options.port)
    while (sent < options.requests && faults.length < MAX_FAULTS) {
      const batch = drawBatch(random, Math.min(MAX_PIPELINE, options.requests - sent))
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
  return { requests: sent, statuses, faults }
}

/** Some requests that each have an answer, or one that may have any number of them. */
function drawBatch(random: SeededRandom, most: number): readonly FuzzRequest[] {
  const size = randomInteger(random, 1, most)
  const batch: FuzzRequest[] = []
  while (batch.length < size) {
    const request = fuzzRequest(random)
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

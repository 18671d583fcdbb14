import { closeSync, openSync, readSync } from 'node:fs'
import type { EngineSettings } from '../engine/engine-settings.js'
import { LocalError } from '../errors/local-error.js'
import { boundsFromText } from '../trace/bounds.js'
import { TRACE_VERSION, type TraceHeader, type TraceRequest } from '../trace/trace-format.js'

const CHUNK_BYTES = 1024 * 1024
/** More than the longest request of the API with its consumed units. */
const MAX_LINE_BYTES = 64 * 1024 * 1024
/** How many requests may be answered before an earlier one. After more, the earlier request was never answered. */
const MAX_OUT_OF_ORDER = 100_000

/** A line of a file, and whether it ends with a line feed. */
interface Line {
  readonly text: string
  readonly isWhole: boolean
}

/**
 * A recorded trace. It is read in parts, so it may be of any length, and synchronously, so that the disk does not delay
 * virtual time.
 */
export class Trace {
  readonly header: TraceHeader
  /** Whether the last line is incomplete, as a killed process leaves it. */
  isTorn = false
  readonly #path: string
  readonly #lines: Iterator<Line>

  /** @throws LocalError `trace.read`, `trace.foreign`, `trace.newer` */
  constructor(path: string) {
    this.#path = path
    this.#lines = linesOf(path)
    this.header = this.#readHeader()
  }

  /**
   * The requests, in order of arrival. Can be iterated only once.
   * @throws LocalError `trace.read`, `trace.damaged`
   */
  *requests(): Generator<TraceRequest> {
    const early = new Map<number, TraceRequest>()
    let next = 0
    for (const request of this.#unordered()) {
      early.set(request.number, request)
      if (early.size > MAX_OUT_OF_ORDER) next = Math.min(...early.keys())
      for (let ready = early.get(next); ready !== undefined; ready = early.get(next)) {
        early.delete(next++)
        yield ready
      }
    }
    yield* [...early.values()].sort((a, b) => a.number - b.number)
  }

  *#unordered(): Generator<TraceRequest> {
    for (let lineNumber = 2; ; lineNumber++) {
      const { value: line, done } = this.#lines.next()
      if (done || line === undefined) return
      const value = parsed(line.text)
      if (isRequest(value)) yield value
      else if (line.isWhole) {
        const message = `Line ${lineNumber} of the trace ${this.#path} is damaged; cut the file off before it to replay the rest.`
        throw new LocalError('trace.damaged', message, { path: this.#path, line: lineNumber })
      } else this.isTorn = true
    }
  }

  #readHeader(): TraceHeader {
    const { value: line } = this.#lines.next()
    const header = parsed(line?.text ?? '')
    if (!isTrace(header)) {
      const message = `The file ${this.#path} is no trace; record one with isotherm local --trace.`
      throw new LocalError('trace.foreign', message, { path: this.#path })
    }
    if (header.version > TRACE_VERSION) {
      const message = `The trace ${this.#path} has version ${header.version}, and this program knows ${TRACE_VERSION}; replay it with a newer one.`
      throw new LocalError('trace.newer', message, { path: this.#path, version: header.version })
    }
    const { settings } = header
    return settings === undefined ? header : { ...header, settings: boundsFromText(settings) }
  }
}

function* linesOf(path: string): Generator<Line> {
  const file = trying(path, () => openSync(path, 'r'))
  try {
    let rest = Buffer.alloc(0)
    const chunk = Buffer.alloc(CHUNK_BYTES)
    for (;;) {
      const bytes = trying(path, () => readSync(file, chunk, 0, CHUNK_BYTES, null))
      if (bytes === 0) break
      const text = Buffer.concat([rest, chunk.subarray(0, bytes)])
      let from = 0
      for (let to = text.indexOf(10); to >= 0; to = text.indexOf(10, from)) {
        yield { text: text.toString('utf8', from, to), isWhole: true }
        from = to + 1
      }
      rest = text.subarray(from)
      if (rest.length > MAX_LINE_BYTES) {
        const message = `The file ${path} has a line of more than ${MAX_LINE_BYTES} bytes and is no trace.`
        throw new LocalError('trace.foreign', message, { path })
      }
    }
    if (rest.length > 0) yield { text: rest.toString('utf8'), isWhole: false }
  } finally {
    closeSync(file)
  }
}

function trying<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    const message = `The trace ${path} cannot be read (${reason}). Check its name and permissions.`
    throw new LocalError('trace.read', message, { path }, cause)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isTrace(value: unknown): value is TraceHeader {
  if (typeof value !== 'object' || value === null) return false
  const { isotherm, version, startedAt, setup, partitions, settings } = value as Partial<TraceHeader>
  return (
    isotherm === 'trace' &&
    Number.isSafeInteger(version) &&
    Number.isFinite(startedAt) &&
    Array.isArray(setup) &&
    (partitions === undefined || Array.isArray(partitions)) &&
    (settings === undefined || isWhole(settings))
  )
}

/** Whether all groups of settings are present. Single settings have defaults. */
function isWhole(settings: Partial<EngineSettings>): boolean {
  const { capacity, propagation, delays, controlPlaneLimits, transactionMilliseconds } = settings
  const groups: readonly unknown[] = [capacity, propagation, delays, controlPlaneLimits]
  return groups.every((group) => typeof group === 'object') && Number.isFinite(transactionMilliseconds)
}

function isRequest(value: unknown): value is TraceRequest {
  if (typeof value !== 'object' || value === null) return false
  const { number, at, region, operation, request, outcome, takes, refusals } = value as Partial<TraceRequest>
  return (
    Number.isSafeInteger(number) &&
    Number.isFinite(at) &&
    typeof region === 'string' &&
    typeof operation === 'string' &&
    typeof request === 'object' &&
    request !== null &&
    typeof outcome === 'string' &&
    areTold(takes, 'units', 'number') &&
    Array.isArray(refusals) &&
    refusals.every((refusal) => areTold(refusal, 'reason', 'string'))
  )
}

/** Whether these are valid takes or refusals, each of a partition. */
function areTold(value: unknown, member: 'units' | 'reason', type: 'number' | 'string'): boolean {
  if (!Array.isArray(value)) return false
  return value.every((each: unknown) => {
    if (typeof each !== 'object' || each === null) return false
    const { resource, kind, partition, [member]: told } = each as { readonly [name: string]: unknown }
    const isOfPartition = typeof resource === 'string' && typeof partition === 'number'
    return isOfPartition && (kind === 'read' || kind === 'write') && typeof told === type
  })
}

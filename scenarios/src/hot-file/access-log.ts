import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ScenarioError } from '../scenario-error.js'

/** One request of an access log. */
export interface AccessRequest {
  readonly epochSeconds: number
  readonly client: string
  readonly method: string
  readonly path: string
  readonly status: number
  /** Bytes of the response. */
  readonly bytes: number
}

/** An access log, in its own order. */
export interface AccessLog {
  readonly requests: readonly AccessRequest[]
  /** From the earliest request to the second after the latest, so that a looped log never repeats a time. */
  readonly spanSeconds: number
  /** The path with the most requests; among equals, the first one. */
  readonly busiestPath: string
}

/** The log in the package: 10,000 real requests. Source and licence: data/README.md. */
export const sampleLogPath = fileURLToPath(new URL('../../data/access-log.tsv', import.meta.url))

const COLUMNS = ['epoch_seconds', 'client', 'method', 'path', 'status', 'bytes'] as const
/** The log is kept in memory; a million requests take about 200 MB. */
const MAX_LINES = 1_000_000

/**
 * Reads a log of tab-separated values.
 *
 * @throws ScenarioError `access-log.unreadable`, `access-log.malformed-line` or `access-log.empty`
 * @example readAccessLog(sampleLogPath).busiestPath // '/favicon.ico'
 */
export function readAccessLog(path: string): AccessLog {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason'
    throw new ScenarioError(
      'access-log.unreadable',
      `The access log ${path} cannot be read (${reason}); give the path of a readable file of tab-separated values.`,
      { cause },
    )
  }
  return parseAccessLog(text)
}

/**
 * Parses `epoch_seconds, client, method, path, status, bytes`, one request a line, under a heading.
 *
 * @throws ScenarioError `access-log.malformed-line`, which names the line's number, counted from 1; `access-log.empty`
 */
export function parseAccessLog(text: string): AccessLog {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  if (lines.length > MAX_LINES) throw malformed(MAX_LINES + 1, `a log has at most ${MAX_LINES} lines`)
  if (lines.length > 0 && lines[0] !== COLUMNS.join('\t')) {
    throw malformed(1, `it must be the heading ${COLUMNS.join(', ')}, separated by tabs`)
  }
  const requests = lines.slice(1).map((line, index) => parseLine(line, index + 2))
  if (requests.length === 0) {
    throw new ScenarioError(
      'access-log.empty',
      'The access log has no requests; it needs at least one line under its heading.',
    )
  }
  return { requests, spanSeconds: spanOf(requests), busiestPath: busiestPathOf(requests) }
}

function parseLine(line: string, number: number): AccessRequest {
  const fields = line.split('\t')
  if (fields.length !== COLUMNS.length) {
    throw malformed(
      number,
      `it has ${fields.length} fields; it must have ${COLUMNS.length}, separated by tabs`,
    )
  }
  const [epochSeconds = '', client = '', method = '', path = '', status = '', bytes = ''] = fields
  if (path === '') throw malformed(number, 'its path is empty')
  return {
    epochSeconds: wholeNumber('epoch_seconds', epochSeconds, number, LAST_EPOCH_SECOND),
    client,
    method,
    path,
    status: wholeNumber('status', status, number, 999),
    bytes: wholeNumber('bytes', bytes, number, Number.MAX_SAFE_INTEGER),
  }
}

/** The end of the year 9999, after which ISO times are written with more digits and no longer sort as text. */
const LAST_EPOCH_SECOND = 253_402_300_799

function wholeNumber(column: string, text: string, line: number, max: number): number {
  const value = Number(text)
  if (/^\d{1,16}$/.test(text) && value <= max) return value
  throw malformed(line, `its ${column} is '${text}'; it must be a whole number from 0 to ${max}`)
}

function malformed(line: number, rule: string): ScenarioError {
  return new ScenarioError(
    'access-log.malformed-line',
    `Line ${line} of the access log is malformed: ${rule}. Correct the line or remove it.`,
  )
}

function spanOf(requests: readonly AccessRequest[]): number {
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (const { epochSeconds } of requests) {
    first = Math.min(first, epochSeconds)
    last = Math.max(last, epochSeconds)
  }
  return last - first + 1
}

function busiestPathOf(requests: readonly AccessRequest[]): string {
  const counts = new Map<string, number>()
  for (const { path } of requests) counts.set(path, (counts.get(path) ?? 0) + 1)
  let busiest = ''
  let most = 0
  for (const [path, count] of counts) {
    if (count > most) [busiest, most] = [path, count]
  }
  return busiest
}

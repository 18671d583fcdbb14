import { parse } from 'csv-parse/sync'
import { AdvisorError } from '../errors/advisor-error.js'
import { TrafficCounter, type TrafficProfile } from './traffic-profile.js'

/** Which column has what. A member that is missing is found by its usual names. */
export interface LogColumns {
  readonly time?: string
  readonly key?: string
  readonly operation?: string
  readonly bytes?: string
}

/** How a log is read. */
export interface LogOptions {
  readonly columns?: LogColumns | undefined
  /** What a line means where no column says it. */
  readonly kind: 'read' | 'write'
  readonly rate: number
  readonly windowSeconds: number
}

const USUAL: { readonly [member in 'time' | 'key']: readonly string[] } = {
  time: ['epoch_seconds', 'timestamp', 'time', 'at', 'date', 'datetime', 'ts'],
  key: ['partition_key', 'pk', 'key', 'path', 'url', 'uri', 'request_uri'],
}
const READS = /^(get|head|read|r|query|scan|getitem|batchgetitem|select|options|false|0)$/i
/** Larger numbers are milliseconds: the year 5138 in seconds. */
const MILLISECONDS_FROM = 1e11
/** Larger numbers are microseconds or nanoseconds: the year 5138 in milliseconds. */
const MILLISECONDS_TO = 1e14
/** Log formats have a hyphen where a request has no body. */
const UNKNOWN_SIZES: ReadonlySet<string> = new Set(['', '-'])

/**
 * The traffic in a log of comma- or tab-separated values with a heading.
 *
 * @throws AdvisorError `traffic.malformed`, `traffic.empty`
 * @example
 * const log = 'time,path\n1700000000,/a\n1700000000,/a\n1700000001,/b\n'
 * readLog(log, { kind: 'write', rate: 1, windowSeconds: 1 }).keys[0] // { key: '/a', writesPerSecond: 2, readsPerSecond: 0 }
 */
export function readLog(
  text: string,
  { columns = {}, kind, rate, windowSeconds }: LogOptions,
): TrafficProfile {
  const [{ fields: heading } = NO_ROW, ...rows] = rowsOf(text)
  const at = columnOf(heading, 'time', columns.time)
  const keyAt = columnOf(heading, 'key', columns.key)
  const operationAt = columns.operation === undefined ? -1 : named(heading, columns.operation)
  const bytesAt = columns.bytes === undefined ? -1 : named(heading, columns.bytes)
  const counter = new TrafficCounter(windowSeconds)
  for (const { fields, line } of rows) {
    const key = fields[keyAt] ?? ''
    const bytes = bytesAt < 0 ? undefined : sizeOf(fields[bytesAt] ?? '', line)
    if (key === '') throw malformed(line, 'its key is empty')
    const operation = operationAt < 0 ? undefined : (fields[operationAt] ?? '')
    counter.add({
      at: secondsOf(fields[at] ?? '', line),
      key,
      kind: operation === undefined ? kind : READS.test(operation) ? 'read' : 'write',
      count: 1,
      ...(bytes === undefined ? {} : { bytes }),
    })
  }
  if (rows.length === 0) {
    throw new AdvisorError('traffic.empty', 'The log has no requests; it needs a line under its heading.')
  }
  return counter.profile(rate)
}

interface Row {
  readonly fields: readonly string[]
  /** The line where it begins, counted from 1. */
  readonly line: number
}

/** Also of files whose heading was put before lines with other ends. */
const LINE_ENDS = ['\r\n', '\n', '\r']

const NO_ROW: Row = { fields: [], line: 1 }

function rowsOf(text: string): readonly Row[] {
  const [heading = ''] = /\S.*/.exec(text) ?? []
  const rows: Row[] = []
  // The parser counts the lines where rows end, and a line break of two characters in a field twice.
  let countedTwice = 0
  try {
    parse(text, {
      bom: true,
      delimiter: heading.includes('\t') ? '\t' : ',',
      // Tab-separated values have no quotes.
      quote: heading.includes('\t') ? null : '"',
      // The parser would take those of the first line for those of all lines.
      recordDelimiter: LINE_ENDS,
      relaxColumnCount: false,
      skipEmptyLines: true,
      onRecord(fields: readonly string[], { lines }) {
        countedTwice += breaksIn(fields, /\r\n/g)
        rows.push({ fields, line: lines - countedTwice - breaksIn(fields, /\r\n|\r|\n/g) })
        return null
      },
    })
    return rows
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/\.$/, '') : String(cause)
    throw new AdvisorError('traffic.malformed', `The log is malformed: ${reason}.`, { cause })
  }
}

/** A field between quotation marks may have several lines. */
function breaksIn(fields: readonly string[], pattern: RegExp): number {
  return fields.reduce((sum, field) => sum + (field.match(pattern)?.length ?? 0), 0)
}

function columnOf(heading: readonly string[], member: 'time' | 'key', given: string | undefined): number {
  if (given !== undefined) return named(heading, given)
  const usual = USUAL[member].find((name) => heading.some((column) => column.toLowerCase() === name))
  if (usual !== undefined) return heading.findIndex((column) => column.toLowerCase() === usual)
  throw new AdvisorError(
    'traffic.malformed',
    `No column of the log is known as its ${member}; name it with --columns ${member}=COLUMN. The columns are ${heading.join(', ')}.`,
  )
}

function named(heading: readonly string[], name: string): number {
  const at = heading.indexOf(name)
  if (at >= 0) return at
  throw new AdvisorError(
    'traffic.malformed',
    `The log has no column '${name}'; its columns are ${heading.join(', ')}.`,
  )
}

function sizeOf(text: string, line: number): number | undefined {
  if (UNKNOWN_SIZES.has(text)) return undefined
  const bytes = Number(text)
  if (Number.isFinite(bytes) && bytes >= 0) return bytes
  throw malformed(line, `its size is '${text}'; it must be a number of bytes, or - if it is unknown`)
}

function secondsOf(text: string, line: number): number {
  const number = Number(text)
  const seconds = text === '' ? Number.NaN : Number.isFinite(number) ? number : Date.parse(text) / 1_000
  if (Number.isFinite(seconds) && seconds < MILLISECONDS_TO) {
    return seconds >= MILLISECONDS_FROM ? seconds / 1_000 : seconds
  }
  throw malformed(
    line,
    `its time is '${text}'; it must be seconds, milliseconds, or a date such as 2026-11-23T18:00:00Z`,
  )
}

function malformed(line: number, rule: string): AdvisorError {
  return new AdvisorError('traffic.malformed', `Line ${line} of the log is malformed: ${rule}.`)
}

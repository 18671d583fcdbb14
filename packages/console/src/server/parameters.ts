import type { HeatKeyspace } from '@isotherm/local'
import type { HeatMapGrouping, HeatMapRequest } from '../api/heat-map.js'
import { ConsoleError } from './console-error.js'

/** Four weeks are in the history. Anything wider has nothing more. */
const MAX_SPAN_MILLISECONDS = 366 * 24 * 3_600_000
const MAX_COLUMNS = 2_000
const MAX_ROWS = 1_500
const MAX_OPEN = 50
const MAX_TEXT = 2_048

const GROUPINGS: readonly HeatMapGrouping[] = ['key', 'partition', 'prefix']

const KNOWN: ReadonlySet<string> = new Set([
  'region',
  'table',
  'index',
  'by',
  'from',
  'to',
  'last',
  'columns',
  'rows',
  'delimiter',
  'separator',
  'open',
  'firstKey',
  'lastKey',
  'after',
])

const OF_KEYSPACE: ReadonlySet<string> = new Set(['region', 'table', 'index'])

/**
 * The table or index in the parameters of a URL.
 * @throws ConsoleError `request.parameter`
 */
export function keyspaceRequest(parameters: URLSearchParams): HeatKeyspace {
  checkNames(parameters, OF_KEYSPACE)
  const table = textOf(parameters, 'table')
  if (table === undefined || table === '') {
    throw refused('table', 'is missing', 'Name a table, such as table=orders.')
  }
  return { region: textOf(parameters, 'region') ?? 'us-east-1', table, index: textOf(parameters, 'index') }
}

/** A request whose delimiter may be left to what is known of the table. */
export interface WantedMap extends Omit<HeatMapRequest, 'delimiter'> {
  readonly delimiter: string | undefined
}

/**
 * The request in the parameters of a URL.
 * @param now the end of the span where none is given
 * @throws ConsoleError `request.parameter`
 */
export function heatMapRequest(parameters: URLSearchParams, now: number): WantedMap {
  checkNames(parameters, KNOWN)
  const text = (name: string) => textOf(parameters, name)
  const named = [...parameters].filter(([name]) => OF_KEYSPACE.has(name))
  const keyspace = keyspaceRequest(new URLSearchParams(named))
  const by = GROUPINGS.find((grouping) => grouping === (text('by') ?? 'key'))
  if (by === undefined) throw refused('by', `is '${text('by')}'`, `Give one of ${GROUPINGS.join(', ')}.`)
  const number = (name: string, least: number, most: number, otherwise: number) => {
    const given = text(name)
    const value = given === undefined ? otherwise : Number(given)
    if (given?.trim() === '' || !Number.isFinite(value) || value < least || value > most) {
      throw refused(name, `is '${given}'`, `Give a number from ${least} to ${most}.`)
    }
    return value
  }
  // The current second is not complete, and would look like the end of all traffic.
  const to = number('to', 0, Number.MAX_SAFE_INTEGER, Math.floor(now / 1_000) * 1_000)
  const last = number('last', 1, MAX_SPAN_MILLISECONDS / 1_000, 300)
  const from = number('from', 0, Number.MAX_SAFE_INTEGER, Math.max(0, to - last * 1_000))
  if (from >= to)
    throw refused('from', `is ${from}`, `Give a time before the end of the span, which is ${to}.`)
  if (to - from > MAX_SPAN_MILLISECONDS)
    throw refused('from', `is ${from}`, 'Give a span of at most 366 days.')
  const open = parameters.getAll('open')
  if (open.length > MAX_OPEN)
    throw refused('open', `is given ${open.length} times`, `Give it at most ${MAX_OPEN} times.`)
  return {
    ...keyspace,
    by,
    from,
    to,
    columns: Math.floor(number('columns', 1, MAX_COLUMNS, 300)),
    rows: Math.floor(number('rows', 2, MAX_ROWS, 200)),
    delimiter: text('delimiter'),
    separator: text('separator') ?? '/',
    open,
    firstKey: text('firstKey'),
    lastKey: text('lastKey'),
    after: number('after', 0, Number.MAX_SAFE_INTEGER, 0),
  }
}

function checkNames(parameters: URLSearchParams, known: ReadonlySet<string>): void {
  for (const name of parameters.keys()) {
    if (!known.has(name)) throw refused(name, 'is unknown', `Known are ${[...known].join(', ')}.`)
  }
}

function textOf(parameters: URLSearchParams, name: string): string | undefined {
  const value = parameters.get(name) ?? undefined
  if (value !== undefined && value.length > MAX_TEXT) {
    throw refused(name, `has ${value.length} characters`, `Give at most ${MAX_TEXT}.`)
  }
  return value
}

function refused(name: string, what: string, cure: string): ConsoleError {
  return new ConsoleError('request.parameter', 400, `The parameter ${name} ${what}. ${cure}`)
}

import { computed, effect, signal } from '@preact/signals'
import type { HeatMap } from '../../src/api/heat-map'
import type { LiveTick, Outage } from '../../src/api/live-tick'
import type { TableList } from '../../src/api/tables'
import { Grid, type ShownMap } from '../map/grid'
import { askApi } from './ask-api'
import { show, showsMap, type View, view } from './view'

/** The connection to the server. */
export type Connection = 'connecting' | 'live' | 'lost'

export const connection = signal<Connection>('connecting')
/** The loss of the endpoint behind the server, where the server answers. */
export const outage = signal<Outage | undefined>(undefined)
/** Whether the figures that are shown are from before. */
export const isOld = computed(() => connection.value === 'lost' || outage.value !== undefined)
export const tables = signal<TableList | undefined>(undefined)
export const map = signal<ShownMap | undefined>(undefined)
/** The time of the latest tick, on the engine's clock. */
export const latest = signal(0)
/** How often the server, or the endpoint behind it, was reached. Another number: it was away, or is another one, so what was asked once is asked again. */
export const connections = signal(0)
type Kind = 'tables' | 'map'
/** Why the last request of each kind was refused. Apart, because an answer of one does not end the failure of the other. */
const failures = signal<Readonly<Partial<Record<Kind, string>>>>({})
export const failure = computed(() => failures.value.map ?? failures.value.tables)
/** The number of rows and columns that fit. */
export const room = signal({ rows: 30, columns: 300 })

/** The requests in progress, one of each kind: a slow answer must not overtake a later one. */
const asking = new Map<Kind, AbortController>()

/** The region, table and index of the map that is shown or asked for. */
let mapPlace = ''

async function ask<Of>(kind: Kind, path: string): Promise<Of | undefined> {
  asking.get(kind)?.abort()
  const controller = new AbortController()
  asking.set(kind, controller)
  const isCurrent = () => asking.get(kind) === controller
  try {
    const { answer, failure } = await askApi<Of>(path, controller)
    if (!isCurrent()) return undefined
    fail(kind, failure)
    return answer
  } catch {
    if (isCurrent()) connection.value = 'lost'
    return undefined
  } finally {
    if (isCurrent()) asking.delete(kind)
  }
}

function fail(kind: Kind, message: string | undefined): void {
  if (failures.peek()[kind] !== message) failures.value = { ...failures.peek(), [kind]: message }
}

async function askTables(): Promise<void> {
  const list = await ask<TableList>('tables', 'tables')
  if (list === undefined) return
  tables.value = list
  const { table, region } = view.peek()
  const [first] = list.tables
  if (table === '' && first !== undefined) show({ table: first.name, region: first.region })
  else if (table !== '' && !list.tables.some((each) => each.name === table && each.region === region)) {
    map.value = undefined
  }
}

/** What the shown map was asked for, without the time. Newer columns can be added only to a map of the same question. */
let shownQuestion = ''

/** @param isNext whether the view follows the time, so that the newest columns are enough */
async function askMap(isNext = false): Promise<void> {
  const wanted = view.peek()
  forgetOtherMap(wanted)
  // The other views do not show it, and for an endpoint that publishes figures, each answer has its price.
  if (wanted.table === '' || !showsMap(wanted.tab)) return
  const parameters = parametersOf(wanted)
  const question = parameters.toString()
  const known = map.peek()
  if (isNext && known !== undefined && question === shownQuestion) {
    // The last column may not have been complete.
    parameters.set('after', String(known.from + (known.columns - 1) * known.seconds * 1_000))
  }
  const began = performance.now()
  const answer = await ask<HeatMap>('map', `heat?${parameters}`)
  if (answer === undefined) {
    // What was refused is mostly refused again.
    if (failures.peek().map !== undefined) nextAsk = performance.now() + MAX_REST_MILLISECONDS
    return
  }
  const grid =
    answer.cellsFrom === 0 || known === undefined ? Grid.of(answer) : known.grid.movedTo(answer, known)
  // Other keys are hot now, so their cells of before are needed.
  if (grid === undefined) return askMap()
  const isFirst = map.peek() === undefined
  shownQuestion = question
  map.value = { ...answer, grid }
  const took = performance.now() - began
  nextAsk = performance.now() + Math.min(MAX_REST_MILLISECONDS, REST_FACTOR * took)
  // Its traffic is known only now.
  if (isFirst && wanted.last === 0) askMap()
}

/** The map of another table or index must not be shown under the name of this one, nor why that was refused. */
function forgetOtherMap({ region, table, index }: View): void {
  const place = JSON.stringify([region, table, index])
  if (place === mapPlace) return
  mapPlace = place
  map.value = undefined
  fail('map', undefined)
}

/** A map that takes long or is refused is asked for less often, so that the engine has most of its time for requests. */
const REST_FACTOR = 2
const MAX_REST_MILLISECONDS = 5_000
let nextAsk = 0

function parametersOf(wanted: View): URLSearchParams {
  const { region, table, index, by, last, from, to, firstKey, lastKey, separator, open } = wanted
  const { rows, columns } = room.peek()
  const parameters = new URLSearchParams({ region, table, by, separator })
  if (wanted.delimiter !== undefined) parameters.set('delimiter', wanted.delimiter)
  parameters.set('rows', String(rows))
  parameters.set('columns', String(columns))
  if (index !== '') parameters.set('index', index)
  if (from === undefined || to === undefined)
    parameters.set('last', String(last === 0 ? fittingSpan() : last))
  else {
    parameters.set('from', String(Math.round(from)))
    parameters.set('to', String(Math.round(to)))
  }
  if (firstKey !== undefined) parameters.set('firstKey', firstKey)
  if (lastKey !== undefined) parameters.set('lastKey', lastKey)
  for (const id of open) parameters.append('open', id)
  return parameters
}

/** An endpoint that publishes minutes has little to show of five of them. */
export const PUBLISHED_SECONDS = 10_800

const FITTING_SECONDS = [60, 120, 180, 240, 300] as const
/** Room for the newest traffic, so that the span does not change each second. */
const MARGIN_SECONDS = 5

/** A span for a table whose traffic has just begun: most of a longer one would be empty. */
function fittingSpan(): number {
  if (tables.peek()?.offers !== undefined) return PUBLISHED_SECONDS
  const [least, , , , most] = FITTING_SECONDS
  const known = map.peek()
  if (known === undefined) return most
  const { writes, reads, throttles } = known.totals
  const series = [writes, reads, ...Object.values(throttles)]
  const first = Math.min(
    ...series.map((each) => each.findIndex((value) => value > 0)).filter((at) => at >= 0),
  )
  if (!Number.isFinite(first)) return least
  const begin = known.from + first * known.seconds * 1_000
  const age = (known.now - begin) / 1_000 + MARGIN_SECONDS
  return FITTING_SECONDS.find((seconds) => seconds >= age) ?? most
}

/** A browser connects again by itself, except after a refusal. */
const RETRY_MILLISECONDS = 3_000

function connect(): void {
  const stream = new EventSource('v1/live')
  stream.addEventListener('open', () => {
    // What was asked when the page was opened need not be asked twice.
    const wasLost = connection.peek() === 'lost'
    connection.value = 'live'
    if (!wasLost) return
    connections.value++
    // An answer of before may never come.
    askTables()
  })
  stream.addEventListener('error', () => {
    connection.value = 'lost'
    if (stream.readyState === EventSource.CLOSED) setTimeout(connect, RETRY_MILLISECONDS)
  })
  stream.addEventListener('tick', ({ data }) => {
    connection.value = 'live'
    if (document.visibilityState === 'hidden') return
    const tick: LiveTick = JSON.parse(data)
    const isBack = outage.peek() !== undefined && tick.outage === undefined
    if (outage.peek()?.since !== tick.outage?.since) outage.value = tick.outage
    latest.value = tick.now
    if (isBack) connections.value++
    // While an answer is on its way, it is waited for: an upstream may take longer than a second.
    if (!asking.has('tables')) askTables()
    // A span in the past does not change.
    if (view.peek().to === undefined && !asking.has('map') && performance.now() >= nextAsk) askMap(true)
  })
}

/** Keeps the data up to date: once a second while it grows, and at once when something else is looked at. */
export function followServer(): void {
  connect()
  effect(() => {
    // Read here, so that a change of any of them sends the request again.
    void [view.value, room.value, connections.value]
    askMap()
  })
}

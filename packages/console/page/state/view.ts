import { computed, effect, signal } from '@preact/signals'
import type { HeatMapGrouping } from '../../src/api/heat-map'

/** What is looked at. All of it is in the URL, so that a link shows the same. */
export interface View {
  readonly tab: Tab
  readonly region: string
  /** Empty until tables are known. */
  readonly table: string
  readonly index: string
  readonly by: HeatMapGrouping
  /** The length of the span in seconds. 0: as long as there is traffic, up to five minutes. */
  readonly last: number
  /** Set while the view does not follow the time: the span, in milliseconds since the epoch. */
  readonly from: number | undefined
  readonly to: number | undefined
  readonly firstKey: string | undefined
  readonly lastKey: string | undefined
  /** `undefined`: what the server knows of the table. */
  readonly delimiter: string | undefined
  readonly separator: string
  readonly open: readonly string[]
  readonly colour: 'absolute' | 'relative'
  readonly density: Density
  readonly redacted: boolean
  /** The query of items, as text; empty for all. */
  readonly items: string
  /** The key of the item that is open, as text; empty for none. */
  readonly item: string
  /** Words of the names of the tables that are listed. */
  readonly filter: string
}

export type Tab = (typeof TABS)[number]

const TABS = [
  'heat',
  'throttling',
  'partitions',
  'shards',
  'items',
  'definition',
  'advice',
  'scenarios',
  // About no table.
  'tables',
  'create',
] as const

/** Whether a view is drawn from the map. The others ask for their own figures. */
export function showsMap(tab: Tab): boolean {
  return tab === 'heat' || tab === 'throttling'
}

export type Density = 'labels' | 'compact' | 'dense'

const DEFAULT: View = {
  tab: 'heat',
  region: 'us-east-1',
  table: '',
  index: '',
  by: 'key',
  last: 0,
  from: undefined,
  to: undefined,
  firstKey: undefined,
  lastKey: undefined,
  delimiter: undefined,
  separator: '/',
  open: [],
  colour: 'absolute',
  density: 'labels',
  redacted: false,
  items: '',
  item: '',
  filter: '',
}

/** What belongs to one table or index, and is left with it. */
const OF_TABLE = {
  index: '',
  open: [],
  firstKey: undefined,
  lastKey: undefined,
  delimiter: undefined,
  items: '',
  item: '',
} as const

export const view = signal<View>(parse(location.search))

/** Whether the view follows the time. */
export const isLive = computed(() => view.value.to === undefined)

/** Whether a part of the time or of the keys is selected. */
export const isZoomed = computed(() => view.value.to !== undefined || view.value.firstKey !== undefined)

/** Changes the view. @param keep whether the browser's back button returns to the view before */
export function show(change: Partial<View>, keep = false): void {
  view.value = { ...view.value, ...change }
  const url = `${location.pathname}${query(view.value)}`
  if (keep) history.pushState(undefined, '', url)
  else history.replaceState(undefined, '', url)
}

/** Shows a table, or one of its indexes, from its top. */
export function showTable(change: Partial<View>): void {
  show({ ...OF_TABLE, ...change }, true)
  scrollTo(0, 0)
}

export function followTime(): void {
  show({ from: undefined, to: undefined, firstKey: undefined, lastKey: undefined }, true)
}

// Pages of several tables can be told apart in tabs, bookmarks and the history.
effect(() => {
  const { table, tab } = view.value
  const isOfTable = table !== '' && tab !== 'tables' && tab !== 'create' && tab !== 'scenarios'
  document.title = isOfTable ? `${table} – Isotherm console` : 'Isotherm console'
})

addEventListener('popstate', () => {
  view.value = parse(location.search)
})

function parse(search: string): View {
  const given = new URLSearchParams(search)
  const text = (name: string) => given.get(name) ?? undefined
  const number = (name: string) => {
    const value = Number(given.get(name) ?? Number.NaN)
    return Number.isFinite(value) ? value : undefined
  }
  const one = <Of extends string>(name: string, of: readonly Of[], otherwise: Of) =>
    of.find((value) => value === given.get(name)) ?? otherwise
  const [from, to] = [number('from'), number('to')]
  const isSpan = from !== undefined && to !== undefined && from < to
  return {
    tab: one('tab', TABS, DEFAULT.tab),
    region: text('region') ?? DEFAULT.region,
    table: text('table') ?? '',
    index: text('index') ?? '',
    by: one('by', ['key', 'partition', 'prefix'], DEFAULT.by),
    last: Math.max(0, number('last') ?? DEFAULT.last),
    from: isSpan ? from : undefined,
    to: isSpan ? to : undefined,
    firstKey: text('firstKey'),
    lastKey: text('lastKey'),
    delimiter: text('delimiter'),
    separator: text('separator') ?? DEFAULT.separator,
    open: given.getAll('open'),
    colour: one('colour', ['absolute', 'relative'], DEFAULT.colour),
    density: one('density', ['labels', 'compact', 'dense'], DEFAULT.density),
    redacted: given.get('redacted') === 'true',
    items: text('items') ?? '',
    item: text('item') ?? '',
    filter: text('filter') ?? '',
  }
}

function query(of: View): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(of)) {
    const usual = DEFAULT[name as keyof View]
    if (Array.isArray(value)) for (const each of value) parameters.append(name, each)
    else if (value !== undefined && value !== usual) parameters.set(name, String(value))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

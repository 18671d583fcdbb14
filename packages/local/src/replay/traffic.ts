import type { RequestAccount } from '../capacity/request-account.js'
import { type JsonObject, membersOf } from './members-of.js'

/** A recorded or replayed request with its result. */
export interface AnsweredRequest extends RequestAccount {
  readonly region: string
  readonly operation: string
  readonly request: object
  readonly outcome: string
}

/** The load of a partition. */
export interface PartitionFigures {
  /** The index, or `undefined` for the table itself. */
  readonly index?: string
  readonly kind: 'read' | 'write'
  readonly partition: number
  /** Capacity units consumed. */
  readonly units: number
  /** Its share of all units of this kind consumed by the table or index, 0 to 1. */
  readonly share: number
}

/** The traffic of a table. Each member of a batch or transaction counts as one request. */
export interface TableFigures {
  /** All requests. */
  readonly offered: number
  /** Successful requests. */
  readonly accepted: number
  /** Requests that were throttled. */
  readonly throttled: number
  /** Requests with another error, such as a failed condition. */
  readonly failed: number
  /** Throttled requests by throttling reason. */
  readonly reasons: { readonly [reason: string]: number }
  /** Units of the table including local indexes, and of each global index after a dot. */
  readonly units: { readonly [kind: string]: number }
  /** For each kind of access to the table and each index, the partition with the highest load. */
  readonly hottest: readonly PartitionFigures[]
}

interface Tally {
  offered: number
  throttled: number
  failed: number
  readonly reasons: Map<string, number>
  readonly units: Map<string, number>
  readonly partitions: Map<string, number>
}

const NO_FIGURES: TableFigures = {
  offered: 0,
  accepted: 0,
  throttled: 0,
  failed: 0,
  reasons: {},
  units: {},
  hottest: [],
}

/** Aggregates requests by table. */
export class Traffic {
  readonly #tables = new Map<string, Tally>()

  /** The requested tables as `region/name`. */
  get places(): readonly string[] {
    return [...this.#tables.keys()]
  }

  add({ region, operation, request, outcome, takes, refusals }: AnsweredRequest): void {
    const throttledBy = new Map<string, number>()
    for (const refusal of refusals) {
      const tables = new Set<string>()
      for (const { resource, reason } of refusal) {
        const { place, index } = placeOf(resource)
        tables.add(place)
        increase(this.#tally(place).reasons, index === undefined ? reason : `${reason} (${index})`, 1)
      }
      for (const place of tables) increase(throttledBy, place, 1)
    }
    for (const [name, members] of membersOf(operation, request as JsonObject)) {
      const place = `${region}/${name}`
      const tally = this.#tally(place)
      tally.offered += members
      if (outcome === 'ok') tally.throttled += Math.min(members, throttledBy.get(place) ?? 0)
      else if (refusals.length > 0) tally.throttled += members
      else tally.failed += members
    }
    for (const { resource, kind, partition, units } of takes) {
      const { place, index } = placeOf(resource)
      const whose = index === undefined ? kind : `${kind}.${index}`
      const { units: sums, partitions } = this.#tally(place)
      increase(sums, whose, units)
      increase(partitions, `${whose}#${partition}`, units)
    }
  }

  /** The totals of a table. */
  figures(place: string): TableFigures {
    const tally = this.#tables.get(place)
    if (tally === undefined) return NO_FIGURES
    const { offered, throttled, failed, reasons, units, partitions } = tally
    return {
      offered,
      accepted: offered - throttled - failed,
      throttled,
      failed,
      reasons: sorted(reasons),
      units: sorted(units),
      hottest: hottestOf(units, partitions),
    }
  }

  #tally(place: string): Tally {
    const known = this.#tables.get(place)
    if (known !== undefined) return known
    const made = {
      offered: 0,
      throttled: 0,
      failed: 0,
      reasons: new Map(),
      units: new Map(),
      partitions: new Map(),
    }
    this.#tables.set(place, made)
    return made
  }
}

/** The partition with the highest load for each kind of access, of the table and of each index. */
function hottestOf(
  units: ReadonlyMap<string, number>,
  partitions: ReadonlyMap<string, number>,
): PartitionFigures[] {
  return [...units.keys()].sort().flatMap((whose) => {
    const own = [...partitions].filter(([name]) => name.slice(0, name.lastIndexOf('#')) === whose)
    const [hottest] = own.sort(([, a], [, b]) => b - a)
    if (hottest === undefined) return []
    const [name, taken] = hottest
    const dot = whose.indexOf('.')
    const sum = units.get(whose) ?? 0
    return [
      {
        ...(dot < 0 ? {} : { index: whose.slice(dot + 1) }),
        kind: whose.startsWith('read') ? ('read' as const) : ('write' as const),
        partition: Number(name.slice(name.lastIndexOf('#') + 1)),
        units: rounded(taken),
        share: sum === 0 ? 0 : rounded(taken / sum),
      },
    ]
  })
}

/** The table in an ARN, and the index, if any. */
function placeOf(arn: string): { readonly place: string; readonly index: string | undefined } {
  const [, , , region = '', , ...path] = arn.split(':')
  const [, table = '', , index] = path.join(':').split('/')
  return { place: `${region}/${table}`, index }
}

function increase(sums: Map<string, number>, name: string, by: number): void {
  sums.set(name, (sums.get(name) ?? 0) + by)
}

function sorted(sums: ReadonlyMap<string, number>): { readonly [name: string]: number } {
  return Object.fromEntries(
    [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, sum]) => [name, rounded(sum)]),
  )
}

/** Units of a page are divided over partitions. Digits beyond the fourth decimal place are rounding errors. */
function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}

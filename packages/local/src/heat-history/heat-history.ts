import type { KeyAttribute } from '../table/table-definition.js'
import { type HeatFrame, OpenFrame } from './heat-frame.js'
import { type HeatColumn, HeatLayer } from './heat-layer.js'
import type { HeatParameters } from './heat-parameters.js'
import { type HeatKeyspace, KeyspaceHeat, type PartitionLimit } from './keyspace-heat.js'

/** A span of a table's history, in columns of equal width. Columns without traffic are left out. */
export interface HeatSpan {
  /** When the first column begins, in milliseconds since the epoch. */
  readonly from: number
  /** When the last column ends. */
  readonly to: number
  /** The width of a column. */
  readonly seconds: number
  readonly columns: readonly { readonly at: number; readonly frame: HeatFrame }[]
}

/** The span that is wanted. */
export interface HeatRequest {
  readonly from: number
  readonly to: number
  /** The maximum number of columns. */
  readonly columns: number
}

const SECOND = 1_000

/**
 * The traffic of all partitions, and of the hottest keys, of all tables and indexes: by the second for minutes, and in
 * wider columns for weeks. A request is recorded in the current second. A completed second becomes a column of the first
 * layer, and each layer's columns are merged into those of the next one.
 *
 * Nothing runs in the background: the first request of a new second, or the first look at it, completes the old one.
 */
export class HeatHistory {
  readonly #parameters: HeatParameters
  readonly #limit: PartitionLimit
  #keyspaces = new Map<string, KeyspaceHeat>()
  #layers: readonly HeatLayer[] = []
  #cells = 0
  #second = Number.NEGATIVE_INFINITY
  #active = new Set<KeyspaceHeat>()

  constructor(parameters: HeatParameters, limit: PartitionLimit) {
    this.#parameters = parameters
    this.#limit = limit
    this.clear()
  }

  /** The number of stored cells, which limits the memory. */
  get cells(): number {
    return this.#cells
  }

  /** What a partition serves in a second. */
  get limit(): PartitionLimit {
    return this.#limit
  }

  /** The recorder of a table or an index. It continues the history of an earlier one of that name with the same key. */
  keyspace(keyspace: HeatKeyspace, hash: readonly KeyAttribute[]): KeyspaceHeat {
    const place = JSON.stringify([keyspace.region, keyspace.table, keyspace.index, hash])
    const known = this.#keyspaces.get(place)
    // The newest of a name is the last one, which is the one that is read.
    this.#keyspaces.delete(place)
    const recorder =
      known ??
      new KeyspaceHeat(keyspace, hash, this.#limit, this.#parameters.keysPerSecond, (own, now) =>
        this.#record(own, now),
      )
    this.#keyspaces.set(place, recorder)
    return recorder
  }

  /** Removes the whole history. Recorders that exist continue. */
  clear(): void {
    this.#cells = 0
    this.#active = new Set()
    this.#second = Number.NEGATIVE_INFINITY
    let next: HeatLayer | undefined
    const layers: HeatLayer[] = []
    for (const parameters of [...this.#parameters.layers].reverse()) {
      next = new HeatLayer(parameters, next, (cells) => {
        this.#cells += cells
      })
      layers.unshift(next)
    }
    this.#layers = layers
  }

  /** The history of one table or index. Seconds that are not over are not part of it. */
  read({ region, table, index }: HeatKeyspace, request: HeatRequest, now: number): HeatSpan {
    this.#complete(now)
    const recorders = [...this.#keyspaces.values()].filter(
      ({ keyspace: own }) => own.region === region && own.table === table && own.index === index,
    )
    const coarsest = this.#layerFor(request.from)
    const seconds = this.#layers[coarsest]?.parameters.seconds ?? 1
    const wanted = (request.to - request.from) / SECOND / Math.max(1, request.columns)
    const milliseconds = seconds * Math.max(1, Math.ceil(wanted / seconds)) * SECOND
    const from = Math.floor(request.from / milliseconds) * milliseconds
    const to = Math.ceil(request.to / milliseconds) * milliseconds
    const frames = new Map<number, HeatFrame>()
    for (const column of this.#columns(coarsest, from, to)) {
      for (const recorder of recorders) {
        const frame = column.frames.get(recorder)
        if (frame === undefined) continue
        const at = Math.floor(column.at / milliseconds) * milliseconds
        const known = frames.get(at)
        // Most columns have one frame, which need not be copied.
        frames.set(at, known === undefined ? frame : sumOf(known, frame))
      }
    }
    const columns = [...frames].map(([at, frame]) => ({ at, frame })).sort((a, b) => a.at - b.at)
    return { from, to, seconds: milliseconds / SECOND, columns }
  }

  #record(keyspace: KeyspaceHeat, now: number): void {
    const second = Math.floor(now / SECOND)
    if (second > this.#second) {
      this.#complete(now)
      this.#second = second
    }
    this.#active.add(keyspace)
  }

  /** Ends the current second if it is over. */
  #complete(now: number): void {
    if (this.#active.size === 0 || Math.floor(now / SECOND) <= this.#second) return
    const [finest] = this.#layers
    if (finest === undefined) return
    const { keys } = finest.parameters
    const frames = new Map([...this.#active].map((keyspace) => [keyspace, keyspace.close(keys)]))
    this.#active = new Set()
    finest.push({ at: this.#second * SECOND, seconds: 1, frames })
    while (this.#cells > this.#parameters.maxCells) this.#largestLayer().dropOldest()
  }

  #largestLayer(): HeatLayer {
    return this.#layers.reduce((largest, layer) => (layer.cells > largest.cells ? layer : largest))
  }

  /** The finest layer that reaches back to a time, or the one that reaches back farthest. */
  #layerFor(from: number): number {
    const found = this.#layers.findIndex(({ completeFrom }) => completeFrom <= from)
    return found < 0 ? this.#layers.length - 1 : found
  }

  /** Columns that have each moment once: those of one layer, and for the time since its last one those of finer layers. */
  *#columns(coarsest: number, from: number, to: number): Iterable<HeatColumn> {
    let begin = from
    for (const layer of this.#layers.slice(0, coarsest + 1).reverse()) {
      for (const column of layer.columns) {
        if (column.at >= begin && column.at < to) yield column
      }
      const last = layer.columns.at(-1)
      if (last !== undefined) begin = Math.max(begin, last.at + last.seconds * SECOND)
    }
  }
}

function sumOf(sum: HeatFrame, frame: HeatFrame): OpenFrame {
  if (sum instanceof OpenFrame) {
    sum.add(frame)
    return sum
  }
  const open = new OpenFrame()
  open.add(sum)
  open.add(frame)
  return open
}

import type { ThrottlingReason } from '../capacity/throttled.js'
import { addCell, emptyCell, type HeatCell, PackedCells, weightOf } from './heat-cell.js'
import type { HeatKey } from './keyspace-heat.js'

/** The traffic of one table or index during a column. The cells of partitions have all of it, those of keys a part. */
export interface HeatFrame {
  readonly partitions: Iterable<readonly [id: number, cell: HeatCell]>
  readonly keys: Iterable<readonly [key: HeatKey, cell: HeatCell]>
  /** Throttled requests by reason. */
  readonly reasons: ReadonlyMap<ThrottlingReason, number>
}

/** A frame that is still being added to. */
export class OpenFrame implements HeatFrame {
  readonly #partitions = new Map<number, HeatCell>()
  readonly #keys = new Map<HeatKey, HeatCell>()
  readonly reasons = new Map<ThrottlingReason, number>()

  get partitions(): ReadonlyMap<number, HeatCell> {
    return this.#partitions
  }

  get keys(): ReadonlyMap<HeatKey, HeatCell> {
    return this.#keys
  }

  /** Adds the frame of a shorter time. */
  add(frame: HeatFrame): void {
    for (const [id, cell] of frame.partitions) addCell(cellOf(this.#partitions, id), cell)
    for (const [key, cell] of frame.keys) addCell(cellOf(this.#keys, key), cell)
    for (const [reason, count] of frame.reasons) {
      this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + count)
    }
  }

  /** @param keys how many keys to keep, the heaviest. */
  close(keys: number): ClosedFrame {
    const partitions = [...this.#partitions]
    const kept = [...this.#keys].sort(([, a], [, b]) => weightOf(b) - weightOf(a)).slice(0, keys)
    return new ClosedFrame(partitions, kept, this.reasons)
  }
}

/** A frame in compact form. */
export class ClosedFrame implements HeatFrame {
  readonly reasons: ReadonlyMap<ThrottlingReason, number>
  readonly #ids: readonly number[]
  readonly #names: readonly HeatKey[]
  readonly #ofPartitions: PackedCells
  readonly #ofKeys: PackedCells

  constructor(
    partitions: readonly (readonly [number, HeatCell])[],
    keys: readonly (readonly [HeatKey, HeatCell])[],
    reasons: ReadonlyMap<ThrottlingReason, number>,
  ) {
    this.#ids = partitions.map(([id]) => id)
    this.#ofPartitions = new PackedCells(partitions.map(([, cell]) => cell))
    this.#names = keys.map(([key]) => key)
    this.#ofKeys = new PackedCells(keys.map(([, cell]) => cell))
    this.reasons = reasons
  }

  get cells(): number {
    return this.#ids.length + this.#names.length
  }

  get partitions(): Iterable<readonly [number, HeatCell]> {
    return this.#ids.map((id, index) => [id, this.#ofPartitions.at(index)] as const)
  }

  get keys(): Iterable<readonly [HeatKey, HeatCell]> {
    return this.#names.map((key, index) => [key, this.#ofKeys.at(index)] as const)
  }
}

function cellOf<Of>(cells: Map<Of, HeatCell>, of: Of): HeatCell {
  let cell = cells.get(of)
  if (cell === undefined) {
    cell = emptyCell()
    cells.set(of, cell)
  }
  return cell
}

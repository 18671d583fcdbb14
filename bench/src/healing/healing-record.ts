import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { AdoptedKeyRun } from './adopted-key.js'
import type { BulkIndexRun } from './bulk-index.js'
import type { HealingRun } from './run-shape.js'

/** The seconds of which the record keeps the curves: what heals does so in them. */
const CURVE_SECONDS = 120

/** The day of a run, such as `2026-11-24`. A run is of the library as it was on that day. */
interface Dated {
  readonly recordedOn: string
}

/** What is kept of a run: its figures, and curves of its first seconds, in units a second. */
export interface RecordedRun extends Omit<HealingRun, 'seconds'>, Dated {
  readonly curves: { readonly offered: readonly number[]; readonly accepted: readonly number[] }
}

export type RecordedBulkRun = BulkIndexRun & Dated

export type RecordedAdoptedRun = AdoptedKeyRun & Dated

type Entry = RecordedRun | RecordedBulkRun | RecordedAdoptedRun

/** The last result of each load, contestant and seed, in a file of JSON lines. */
export class HealingRecord {
  readonly #path: string
  readonly #entries = new Map<string, Entry>()

  /** @throws SyntaxError if a line of the file is not JSON */
  constructor(path: string) {
    this.#path = path
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
    for (const line of lines) if (line !== '') this.#keep(JSON.parse(line) as Entry)
  }

  get runs(): readonly RecordedRun[] {
    return [...this.#entries.values()].filter((entry): entry is RecordedRun => 'curves' in entry)
  }

  get bulkRuns(): readonly RecordedBulkRun[] {
    return [...this.#entries.values()].filter((entry): entry is RecordedBulkRun => 'unprocessed' in entry)
  }

  get adoptedRuns(): readonly RecordedAdoptedRun[] {
    return [...this.#entries.values()].filter((entry): entry is RecordedAdoptedRun => 'movedItems' in entry)
  }

  /** Keeps the run in the place of an earlier one of the same load, contestant and seed. */
  add({ seconds, ...figures }: HealingRun, recordedOn: string): void {
    const curve = (units: readonly number[]) => units.slice(0, CURVE_SECONDS).map(Math.round)
    const curves = { offered: curve(seconds.offeredUnits), accepted: curve(seconds.acceptedUnits) }
    this.#keep({ ...figures, curves, recordedOn })
  }

  addBulk(run: BulkIndexRun, recordedOn: string): void {
    this.#keep({ ...run, recordedOn })
  }

  addAdopted(run: AdoptedKeyRun, recordedOn: string): void {
    this.#keep({ ...run, recordedOn })
  }

  save(): void {
    writeFileSync(
      this.#path,
      [...this.#entries.values()].map((entry) => `${JSON.stringify(entry)}\n`).join(''),
    )
  }

  #keep(entry: Entry): void {
    this.#entries.set([entry.shape, entry.contestant, entry.seed].join(), entry)
  }
}

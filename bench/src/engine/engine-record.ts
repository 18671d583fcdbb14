import { cpus, loadavg } from 'node:os'
import type { ContestantKind } from './contestants/contestant.js'
import type { Measurement } from './measurement.js'

/** What one contestant did with one operation, in all rounds. */
export interface EngineRecord {
  readonly contestant: string
  readonly operation: string
  readonly connections: number
  /** Empty if it does not have the operation. */
  readonly rounds: readonly Measurement[]
  readonly refused?: string
}

/** A contestant that took part, or is missing. */
export type ContestantRecord = { readonly name: string; readonly kind: ContestantKind } & (
  | { readonly about: string; readonly megabytes: number | undefined }
  | { readonly missing: string }
)

/** Where it was measured. */
export interface MachineRecord {
  readonly processors: string
  readonly node: string
  /** Processes that waited for a processor, on average of the minute before the run. Its own are not among them. */
  readonly loadBefore: number
}

/** This machine, before a run. */
export function thisMachine(): MachineRecord {
  return {
    processors: `${cpus().length} × ${cpus()[0]?.model.trim()}`,
    node: process.versions.node,
    loadBefore: loadavg()[0] ?? 0,
  }
}

/** Where and how it was measured. */
export interface RunRecord extends MachineRecord {
  readonly rounds: number
  readonly seconds: number
  readonly items: number
}

export interface EngineRun {
  readonly run: RunRecord
  readonly contestants: readonly ContestantRecord[]
  readonly records: readonly EngineRecord[]
}

/** The middle of some figures. */
export function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN
}

import type { HeatMap } from '../api/heat-map.js'

/** The part of a map that a pattern is about. Rows and columns are counted from 0, and the last ones are included. */
export interface FindingPlace {
  readonly rows: readonly [first: number, last: number]
  readonly columns: readonly [first: number, last: number]
}

/** A recognised pattern: what is seen, in which figures, and what helps. */
export interface Finding {
  readonly pattern:
    | 'hot-key'
    | 'busy-partition'
    | 'neighbour'
    | 'rising-keys'
    | 'sudden-rise'
    | 'index-holds-table'
    | 'table-limit'
    | 'cooled'
    | 'calm'
  readonly level: 'hot' | 'limited' | 'warm' | 'cooled' | 'calm'
  readonly title: string
  readonly evidence: string
  readonly cure: string
  readonly place?: FindingPlace
}

/** A map whose cells can be read one by one. */
export interface ReadableMap extends HeatMap {
  readonly grid: { at(row: number, column: number, number: number): number }
}

/** How a finding writes what it names. */
export interface FindingWords {
  /** The text of a key, which may be hidden. */
  key(label: string): string
  figure(value: number): string
  percent(value: number): string
}

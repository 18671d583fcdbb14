import type { Estimate } from '@isotherm/advisor'

/** One key of a report. */
export interface HotKey {
  /** The values of the key attributes. */
  readonly key: string
  /** Part of the traffic, or of the items for a sample. */
  readonly share: Estimate
  /** Units per second. A sample knows no traffic. */
  readonly writes?: Estimate
  readonly reads?: Estimate
  readonly ofPartition?: Estimate
  /** Throttled requests per second. */
  readonly throttled?: number
}

/** The hottest keys of a table or index. */
export interface HotReport {
  readonly table: string
  readonly index?: string
  readonly source: 'insights' | 'sample'
  /** The names of the key attributes. */
  readonly attributes: readonly string[]
  /** The time that the figures are about. */
  readonly from?: string
  readonly seconds?: number
  /** Of the whole table or index, per second. */
  readonly total?: { readonly writeUnits: number; readonly readUnits: number }
  readonly distinctKeys?: number
  readonly keys: readonly HotKey[]
  /** The most that a key can have which is not listed, as a share. */
  readonly unlistedAtMost: number
  readonly sampledItems?: number
  readonly readUnits?: number
}

/** A logical key as one process of the library sees it. Units are of its own requests, a second, over the last five. */
export interface ProcessKey {
  readonly key: string
  /** Its shards, if the process knows them. */
  readonly shards?: number
  /** What was asked for in that time, earlier requests that were answered in it included: never less than `accepted` or `throttled`. */
  readonly offered: number
  readonly accepted: number
  readonly throttled: number
}

/** The hottest logical keys of one process of the library, such as a proxy. */
export interface ProcessHeat {
  readonly version: 1
  readonly table: string
  /** The process, as people know it. */
  readonly process: string
  readonly writes: readonly ProcessKey[]
  /** Of the table itself. */
  readonly reads: readonly ProcessKey[]
}

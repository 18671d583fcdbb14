/** Units that a write took, by where. */
export interface WriteUnits {
  readonly table: number
  /** By the names of global indexes; indexes that nothing was written to are not there. */
  readonly indexes: ReadonlyMap<string, number>
  /** By the names of local indexes. */
  readonly localIndexes: ReadonlyMap<string, number>
}

const NO_INDEXES: ReadonlyMap<string, number> = new Map()

/** Units of the table alone, without any index. */
export function tableUnits(units: number): WriteUnits {
  return { table: units, indexes: NO_INDEXES, localIndexes: NO_INDEXES }
}

/** What a data directory holds, and how much of it is damaged. */
export interface DirectoryReport {
  readonly directory: string
  readonly tables: readonly TableTally[]
  /** Rows that an older version wrote. They have no checksum, so damage of their values may go unnoticed. */
  readonly rowsWithoutChecksum: number
  /** The kinds of damage, up to a hundred, and how many parts each concerns. */
  readonly damage: readonly { readonly what: string; readonly times: number }[]
  /** All damaged parts. 0 for an intact directory. */
  readonly damagedParts: number
}

/** The items of a table, or of one of its indexes. */
export interface TableTally {
  readonly region: string
  readonly table: string
  /** `undefined` for the table itself. */
  readonly index: string | undefined
  /** The number of items that it should hold. */
  readonly items: number
  /** The number of items that are intact. */
  readonly intact: number
}

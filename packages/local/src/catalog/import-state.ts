import type { TransferState } from './transfer-records.js'

/** Where the objects of an import are. */
interface ImportSource {
  readonly bucket: string
  readonly bucketOwner?: string
  readonly prefix?: string
}

/** How items are written in the objects of an import. */
export type ImportFormat =
  | { readonly type: 'DYNAMODB_JSON' }
  | {
      readonly type: 'CSV'
      readonly delimiter?: string
      /** The names of the columns. Without it, the first line of each object has them. */
      readonly header?: readonly string[]
    }

/** What an import has read and written so far. */
export interface ImportCounts {
  /** Items, or objects, that could not be imported. */
  readonly errors: number
  /** The size of what was read, without compression. */
  readonly processedBytes: number
  readonly processedItems: number
  readonly importedItems: number
}

/** An import to a new table. Plain data. */
export interface ImportState extends TransferState, ImportCounts {
  readonly tableId: string
  readonly source: ImportSource
  readonly format: ImportFormat
  readonly compression: 'NONE' | 'GZIP'
  /** The members of the request that define the table, as they were given. */
  readonly creation: { readonly [member: string]: unknown }
}

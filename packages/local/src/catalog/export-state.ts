import type { TransferState } from './transfer-records.js'

/** An export of a table. Plain data. */
export interface ExportState extends TransferState {
  readonly tableId: string
  /** When the table was as the export shows it, in milliseconds since the epoch. */
  readonly exportTime: number
  readonly bucket: string
  readonly bucketOwner?: string
  readonly prefix?: string
  readonly sseAlgorithm?: string
  /** The key of its folder in the bucket. */
  readonly folder: string
  readonly items: number
  /** The size of the items in bytes. */
  readonly bytes: number
}

/** The value of a record: any JSON value. */
export type RecordValue =
  | string
  | number
  | boolean
  | null
  | readonly RecordValue[]
  | { readonly [member: string]: RecordValue | undefined }

/** One change of a record. Records hold the store's other data, such as table definitions. */
export interface RecordChange {
  readonly name: string
  /** `undefined` removes the record. */
  readonly value: RecordValue | undefined
}

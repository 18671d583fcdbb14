import type { KeyType } from '@isotherm/semantics'

export type BillingMode = 'PROVISIONED' | 'PAY_PER_REQUEST'

/** Units a second. On-demand tables have 0 of both, as the service reports them. */
export interface Throughput {
  readonly readUnits: number
  readonly writeUnits: number
}

/** A key attribute and its type. */
export interface KeyAttribute {
  readonly name: string
  readonly type: KeyType
}

/** The attributes that make a key. Lists, because an index may have up to four of each; a table has one, and at most one. */
export interface KeySchema {
  readonly hash: readonly KeyAttribute[]
  readonly range: readonly KeyAttribute[]
}

/** Which attributes an index holds besides the keys. */
export type IndexProjection =
  | { readonly type: 'ALL' }
  | { readonly type: 'KEYS_ONLY' }
  | { readonly type: 'INCLUDE'; readonly attributes: readonly string[] }

/** The most units a second that an on-demand table or index may use; nothing stands for no limit of its own. */
export interface OnDemandMaximum {
  readonly readUnits?: number
  readonly writeUnits?: number
}

export interface IndexDefinition {
  /** A local index shares the partition key, the partitions and the capacity of its table; a global one has its own. */
  readonly kind: 'global' | 'local'
  readonly name: string
  readonly schema: KeySchema
  readonly projection: IndexProjection
  /** Of a global index; a local one has 0 of both. */
  readonly throughput: Throughput
  readonly onDemandMaximum?: OnDemandMaximum
  /** What the index shall be able to serve at once, where that was asked for. */
  readonly warmThroughput?: Throughput
}

export type TableClass = 'STANDARD' | 'STANDARD_INFREQUENT_ACCESS'

/** Which images of a changed item a stream record holds. */
export type StreamViewType = 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES'

/** Everything that CreateTable and UpdateTable decide about a table. Plain data, kept as it is by a durable store. */
export interface TableDefinition {
  readonly name: string
  readonly schema: KeySchema
  /** All attributes that any key uses, in the order they were declared. */
  readonly attributes: readonly KeyAttribute[]
  readonly billingMode: BillingMode
  readonly throughput: Throughput
  readonly onDemandMaximum?: OnDemandMaximum
  /** What the table shall be able to serve at once, where that was asked for. */
  readonly warmThroughput?: Throughput
  readonly indexes: readonly IndexDefinition[]
  readonly streamViewType?: StreamViewType
  readonly tableClass?: TableClass
  readonly deletionProtection: boolean
}

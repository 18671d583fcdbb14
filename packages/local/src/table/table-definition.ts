import type { KeyType } from '@isotherm/semantics'
import type { BillingMode, OnDemandMaximum, Throughput } from '../capacity/throughput.js'
import type { StreamViewType } from '../stream/stream-record.js'

/** A key attribute and its type. */
export interface KeyAttribute {
  readonly name: string
  readonly type: KeyType
}

/**
 * The attributes that form a key. They are lists, because an index may have up to four of each. A table has exactly one
 * partition key attribute and at most one sort key attribute.
 */
export interface KeySchema {
  readonly hash: readonly KeyAttribute[]
  readonly range: readonly KeyAttribute[]
}

/** The attributes that an index holds besides the keys. */
export type IndexProjection =
  | { readonly type: 'ALL' }
  | { readonly type: 'KEYS_ONLY' }
  | { readonly type: 'INCLUDE'; readonly attributes: readonly string[] }

export interface IndexDefinition {
  /**
   * A local index shares the partition key, the partitions and the capacity of its table. A global index has its own.
   */
  readonly kind: 'global' | 'local'
  readonly name: string
  readonly schema: KeySchema
  readonly projection: IndexProjection
  /** The throughput of a global index. A local one has 0 of both. */
  readonly throughput: Throughput
  readonly onDemandMaximum?: OnDemandMaximum
  /** The requested warm throughput of the index, if any. */
  readonly warmThroughput?: Throughput
}

/** A key of KMS: its id, alias or ARN. */
export interface Encryption {
  readonly key: string
}

export type TableClass = 'STANDARD' | 'STANDARD_INFREQUENT_ACCESS'

/**
 * Everything that CreateTable and UpdateTable decide about a table. Plain data, which a durable store saves unchanged.
 */
export interface TableDefinition {
  readonly name: string
  readonly schema: KeySchema
  /** All attributes used in any key, in the order of their declaration. */
  readonly attributes: readonly KeyAttribute[]
  readonly billingMode: BillingMode
  readonly throughput: Throughput
  readonly onDemandMaximum?: OnDemandMaximum
  /** The requested warm throughput of the table, if any. */
  readonly warmThroughput?: Throughput
  readonly indexes: readonly IndexDefinition[]
  readonly streamViewType?: StreamViewType
  readonly tableClass?: TableClass
  /** The encryption that was asked for. It is described, and nothing is encrypted. */
  readonly encryption?: Encryption
  readonly deletionProtection: boolean
}

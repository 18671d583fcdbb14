import type { KeyType } from '@isotherm/semantics'

/** A key attribute of a table or an index. */
export interface KeyAttribute {
  readonly name: string
  /** Missing if the definition does not declare it. */
  readonly type?: KeyType
}

/** The key of a table or an index. A global index may have several attributes of each kind. */
export interface KeyDefinition {
  readonly partition: readonly KeyAttribute[]
  readonly sort: readonly KeyAttribute[]
}

/** Units per second. A member is missing if a template computes it. */
export interface Throughput {
  readonly readUnits?: number
  readonly writeUnits?: number
}

/** The attributes that an index holds beside the keys. */
export type Projection =
  | { readonly type: 'ALL' }
  | { readonly type: 'KEYS_ONLY' }
  | { readonly type: 'INCLUDE'; readonly attributes: readonly string[] }

/** An index of a table. */
export interface IndexDefinition {
  readonly name: string
  readonly kind: 'global' | 'local'
  readonly key: KeyDefinition
  readonly projection: Projection
  /** Of a global index of a provisioned table. */
  readonly throughput?: Throughput
}

/** A vector index: the attributes that its searches are limited by. */
export interface VectorIndexDefinition {
  readonly name: string
  readonly searched: readonly KeyAttribute[]
}

/** How a table is billed. */
export type Billing =
  | { readonly mode: 'PAY_PER_REQUEST'; readonly maximum?: Throughput }
  | { readonly mode: 'PROVISIONED'; readonly throughput: Throughput; readonly isAutoScaled: boolean }

/** Where a definition stands. */
export interface TablePlace {
  /** The path of the file, if it came from one. */
  readonly file?: string
  /** The first and the last line of the definition, counted from 1. */
  readonly firstLine?: number
  readonly lastLine?: number
  /** The logical name in a template, such as `OrdersTable`. */
  readonly resource?: string
}

/** A table, whatever described it: a request, a template, or the service. */
export interface TableDefinition {
  readonly name: string
  readonly place: TablePlace
  readonly key: KeyDefinition
  readonly indexes: readonly IndexDefinition[]
  readonly vectorIndexes: readonly VectorIndexDefinition[]
  readonly billing: Billing
  /** All attributes that the definition declares. */
  readonly declared: readonly KeyAttribute[]
  /** Whether a part of the keys or declarations is known only at deployment, so that what is missing is no error. */
  readonly hasComputedKeys: boolean
  /** The attribute of time to live. */
  readonly timeToLive?: string
  readonly warmThroughput?: Throughput
  readonly hasStream: boolean
  /** From DescribeTable, about every six hours. */
  readonly sizeBytes?: number
  readonly itemCount?: number
  /** Rules that the definition itself asks to ignore. */
  readonly ignoredRules: readonly string[]
}

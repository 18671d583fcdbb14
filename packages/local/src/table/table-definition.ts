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

export interface IndexDefinition {
  readonly name: string
  readonly schema: KeySchema
  readonly projection: IndexProjection
  readonly throughput: Throughput
}

/** Everything that a CreateTable request decides about a table. */
export interface TableDefinition {
  readonly name: string
  readonly schema: KeySchema
  /** All attributes that any key uses, in the order they were declared. */
  readonly attributes: readonly KeyAttribute[]
  readonly billingMode: BillingMode
  readonly throughput: Throughput
  readonly indexes: readonly IndexDefinition[]
}

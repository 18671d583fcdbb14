/**
 * What a request may look like, declared once for each operation. Types are checked first (a wrong one is a
 * SerializationException), then every constraint, and all broken ones are told together, as the service does.
 */
export type Shape =
  | StringShape
  | { readonly type: 'integer'; readonly value?: Range }
  | { readonly type: 'boolean' }
  | { readonly type: 'list'; readonly of: Shape; readonly length?: Range }
  | { readonly type: 'map'; readonly of: Shape; readonly keys?: StringShape; readonly length?: Range }
  | StructureShape
  /** Attribute values: checked and decoded in one pass of their own. */
  | { readonly type: 'attribute-value' }

/** Bounds, both included. */
export interface Range {
  readonly min?: number
  readonly max?: number
}

export interface StringShape {
  readonly type: 'string'
  readonly oneOf?: readonly string[]
  readonly length?: Range
  readonly pattern?: RegExp
  /** Whether a table's ARN may stand in its place: what begins as an ARN must then be one. */
  readonly orTableArn?: true
}

export interface StructureShape {
  readonly type: 'structure'
  readonly members: { readonly [name: string]: Shape & { readonly required?: true } }
  /** Members of the real service that this engine does not implement: refused by name, never ignored. */
  readonly unsupported?: readonly string[]
}

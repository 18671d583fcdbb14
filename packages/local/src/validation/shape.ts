/**
 * The shape of a request, declared once for each operation. Types are checked first, and a wrong type is a
 * SerializationException. Then every constraint is checked, and one error lists all violations, as the service does.
 */
export type Shape =
  | StringShape
  | { readonly type: 'integer'; readonly value?: Range }
  | { readonly type: 'boolean' }
  | { readonly type: 'list'; readonly of: Shape; readonly length?: Range }
  | { readonly type: 'map'; readonly of: Shape; readonly keys?: StringShape; readonly length?: Range }
  | StructureShape
  /** Attribute values, which are checked and decoded together in a separate pass. */
  | { readonly type: 'attribute-value' }

/** Bounds, both inclusive. */
export interface Range {
  readonly min?: number
  readonly max?: number
}

export interface StringShape {
  readonly type: 'string'
  readonly oneOf?: readonly string[]
  readonly length?: Range
  readonly pattern?: RegExp
  /** Whether a table's ARN is also accepted. A text that begins like an ARN must then be a valid one. */
  readonly orTableArn?: true
}

export interface StructureShape {
  readonly type: 'structure'
  readonly members: { readonly [name: string]: Shape & { readonly required?: true } }
  /**
   * Members of the real service that this engine does not implement. A request with one of them is rejected with an
   * error that names it.
   */
  readonly unsupported?: readonly string[]
}

/**
 * The shape of a request, declared once for each operation. Types are checked first, and a wrong type is a
 * SerializationException. Then every constraint is checked, and one error lists all violations, as the service does.
 */
export type Shape =
  | StringShape
  | (Wording & { readonly type: 'integer'; readonly value?: Range })
  | { readonly type: 'boolean' }
  | (Wording & {
      readonly type: 'list'
      readonly of: Shape
      readonly length?: Range
      /** Prints the list in the error of a bad length. By default it is abbreviated. */
      readonly printed?: (list: readonly unknown[]) => string
    })
  | (Wording & {
      readonly type: 'map'
      readonly of: Shape
      readonly keys?: StringShape
      readonly length?: Range
      /** Prints the map in the error of a bad key. By default its keys are printed. */
      readonly printed?: (map: object) => string
      /** Refuses a map with more members before anything else is checked. */
      readonly most?: MostMembers
    })
  | StructureShape
  /** Attribute values, which are checked and decoded together in a separate pass. */
  | { readonly type: 'attribute-value' }

/** The wording of errors, which the service is changing operation by operation. */
interface Wording {
  /** Whether errors spell the member as the request does, and leave out its value. */
  readonly newWording?: true
}

/** A violated constraint of a request. */
export interface Violation {
  /** The member of the request that contains the value. */
  readonly member: string
  /** Whether a required value is missing. */
  readonly isMissing: boolean
  readonly text: string
}

/** How many members a map may have at most. */
export interface MostMembers {
  readonly members: number
  /** The error text for the member of the request that has more. */
  readonly refusal: (member: string, count: number, map: object) => string
}

/** Bounds, both inclusive. */
export interface Range {
  readonly min?: number
  readonly max?: number
}

export interface StringShape extends Wording {
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
  /** Arranges the violations of a request as the service reports them: not always all, and some in other words. */
  readonly arranged?: (
    violations: readonly Violation[],
    input: Readonly<Record<string, unknown>>,
  ) => readonly string[] | string
}

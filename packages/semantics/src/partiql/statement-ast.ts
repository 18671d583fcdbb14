import type { DocumentPath } from '../expressions/document-path.js'

/** Any value or condition, as written. `at` is its place in the statement, for the texts of errors. */
export type ExpressionAst =
  | PathExpression
  | CallExpression
  | { readonly kind: 'string' | 'number'; readonly text: string; readonly at: string }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly at: string }
  | { readonly kind: 'null' | 'missing'; readonly at: string }
  /** A `?`, by its place among the statement's parameters. */
  | { readonly kind: 'parameter'; readonly index: number; readonly at: string }
  | { readonly kind: 'list' | 'bag'; readonly members: readonly ExpressionAst[]; readonly at: string }
  | TupleExpression
  | {
      readonly kind: 'binary'
      readonly operator: string
      readonly left: ExpressionAst
      readonly right: ExpressionAst
      readonly at: string
    }
  | {
      readonly kind: 'unary'
      readonly operator: 'not' | '-' | '+'
      readonly operand: ExpressionAst
      readonly at: string
    }
  | {
      readonly kind: 'between'
      readonly operand: ExpressionAst
      readonly from: ExpressionAst
      readonly to: ExpressionAst
      readonly at: string
    }
  | {
      readonly kind: 'in'
      readonly operand: ExpressionAst
      readonly options: ExpressionAst
      readonly at: string
    }
  | { readonly kind: 'is'; readonly operand: ExpressionAst; readonly type: string; readonly at: string }

export interface PathExpression {
  readonly kind: 'path'
  readonly path: DocumentPath
  readonly at: string
}

/** A function and its operands; the name is in lower case, because its case does not matter. */
export interface CallExpression {
  readonly kind: 'call'
  readonly name: string
  readonly operands: readonly ExpressionAst[]
  readonly at: string
}

/** A map as written: its keys are expressions until they are checked to be strings. */
export interface TupleExpression {
  readonly kind: 'tuple'
  readonly members: readonly { readonly key: ExpressionAst; readonly value: ExpressionAst }[]
  readonly at: string
}

export interface SelectStatement {
  readonly kind: 'select'
  /** The paths to keep of each item; absent for `*`. */
  readonly columns?: readonly DocumentPath[]
  /** Where a column begins that is no path. The service looks at the index first, and then refuses the column. */
  readonly refusedColumn?: string
  readonly table: string
  readonly index?: string
  readonly where?: ExpressionAst
  readonly order: readonly OrderTerm[]
}

export interface OrderTerm {
  readonly name: string
  readonly descending: boolean
}

/** The result of an UPDATE or DELETE: all attributes or the changed ones, from before or after. */
export interface Returning {
  readonly what: 'ALL' | 'MODIFIED'
  readonly when: 'OLD' | 'NEW'
}

export interface InsertStatement {
  readonly kind: 'insert'
  readonly table: string
  readonly item: TupleExpression
}

export interface UpdateStatement {
  readonly kind: 'update'
  readonly table: string
  readonly set: readonly { readonly path: DocumentPath; readonly value: ExpressionAst }[]
  readonly remove: readonly DocumentPath[]
  readonly where?: ExpressionAst
  readonly returning?: Returning
}

export interface DeleteStatement {
  readonly kind: 'delete'
  readonly table: string
  readonly where?: ExpressionAst
  readonly returning?: Returning
}

/** A condition on an item; only transactions support it. */
export interface ExistsStatement {
  readonly kind: 'exists'
  readonly select: SelectStatement
}

export type WriteStatement = InsertStatement | UpdateStatement | DeleteStatement

/** A statement as written: parameters are not resolved, so it can be cached by its text. */
export type StatementAst = SelectStatement | WriteStatement | ExistsStatement

/** A statement and the number of its parameters. */
export interface ParsedStatement {
  readonly statement: StatementAst
  readonly parameterCount: number
}

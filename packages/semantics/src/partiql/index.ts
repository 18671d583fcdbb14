export { bindChanges } from './bind-changes.js'
export { bindWhere } from './bind-where.js'
export { literalItem, type Parameters } from './literal-value.js'
export { parseStatement } from './parse-statement.js'
export { type Column, selectColumns, selectItem } from './select-columns.js'
export type {
  DeleteStatement,
  ExistsStatement,
  ExpressionAst,
  InsertStatement,
  OrderTerm,
  ParsedStatement,
  SelectStatement,
  StatementAst,
  UpdateStatement,
  WriteStatement,
} from './statement-ast.js'
export { unexpectedComponent } from './statement-error.js'

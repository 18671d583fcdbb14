import type { Returning } from './statement-ast.js'
import { notWellFormed, refused } from './statement-error.js'
import type { StatementReader } from './statement-reader.js'

/** `RETURNING (ALL | MODIFIED) (NEW | OLD) *`; `undefined` when the statement has no such clause. */
export function parseReturning(reader: StatementReader): Returning | undefined {
  if (!reader.acceptKeyword('RETURNING')) return undefined
  const what = reader.acceptKeyword('ALL') ? 'ALL' : 'MODIFIED'
  if (what === 'MODIFIED') reader.expectKeyword('MODIFIED', 'Expected ALL or MODIFIED in RETURNING clause')
  const when = reader.acceptKeyword('NEW') ? 'NEW' : 'OLD'
  if (when === 'OLD') reader.expectKeyword('OLD', 'Expected NEW or OLD in RETURNING clause')
  if (!reader.acceptSymbol('*')) {
    if (reader.isEnd()) throw notWellFormed('Unexpected term')
    throw refused("Expected '*' after ( MODIFIED | ALL ) ( NEW | OLD ) in RETURNING clause")
  }
  if (reader.isSymbol(',')) {
    throw refused('Invalid syntax with multiple returning elements in RETURNING clause')
  }
  return { what, when }
}

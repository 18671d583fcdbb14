import type { DocumentPath } from '../expressions/document-path.js'
import { parseExpression } from './parse-expression.js'
import { parseTablePath } from './parse-path.js'
import type { OrderTerm, SelectStatement } from './statement-ast.js'
import { aliased, notWellFormed, refused, unexpectedComponent } from './statement-error.js'
import type { StatementReader } from './statement-reader.js'

/** Parses `SELECT columns FROM "table"."index" WHERE condition ORDER BY key`. */
export function parseSelect(reader: StatementReader): SelectStatement {
  reader.take()
  const { columns, refusedColumn } = parseColumns(reader)
  reader.expectKeyword('FROM', 'Expected keyword FROM')
  const [table, index] = parseSource(reader)
  if (refusedColumn !== undefined && index === undefined) throw unexpectedComponent(refusedColumn)
  const where = reader.acceptKeyword('WHERE') ? parseExpression(reader) : undefined
  refuseClauses(reader)
  const order = parseOrder(reader)
  refuseClauses(reader)
  return {
    kind: 'select',
    table,
    order,
    ...(columns === undefined ? {} : { columns }),
    ...(refusedColumn === undefined ? {} : { refusedColumn }),
    ...(index === undefined ? {} : { index }),
    ...(where === undefined ? {} : { where }),
  }
}

function parseColumns(reader: StatementReader): Pick<SelectStatement, 'columns' | 'refusedColumn'> {
  if (reader.isKeyword('VALUE') || reader.isKeyword('PIVOT')) {
    throw refused("Select projection doesn't support value or pivot keywords")
  }
  if (reader.isKeyword('DISTINCT')) throw refused('Unsupported token in expression: DISTINCT')
  reader.acceptKeyword('ALL')
  if (reader.acceptSymbol('*')) return {}
  const columns: DocumentPath[] = []
  let refusedColumn: string | undefined
  do {
    const { at } = reader.peek()
    const column = acceptCount(reader) ? undefined : parseExpression(reader)
    if (reader.isKeyword('AS') || reader.peek().kind === 'name') throw aliased()
    if (column?.kind === 'path') columns.push(column.path)
    else refusedColumn ??= column?.at ?? at
  } while (reader.acceptSymbol(','))
  return { columns, ...(refusedColumn === undefined ? {} : { refusedColumn }) }
}

/** `COUNT(*)`, or a function of another name, of all columns. */
function acceptCount(reader: StatementReader): boolean {
  const { kind } = reader.peek()
  const isCount =
    (kind === 'name' || kind === 'keyword') &&
    ['(', '*', ')'].every((symbol, index) => reader.isSymbol(symbol, index + 1))
  if (isCount) for (let token = 0; token < 4; token++) reader.take()
  return isCount
}

const VALUE_STARTS = ['(', '[', '<<', '{', '?'] as const

function parseSource(reader: StatementReader): [table: string, index: string | undefined] {
  const { kind } = reader.peek()
  const isValue =
    kind === 'string' || kind === 'number' || VALUE_STARTS.some((start) => reader.isSymbol(start))
  if (isValue) throw refused('Unexpected from source')
  if (kind !== 'name') throw reader.unexpected()
  const [table = '', index, ...rest] = parseTablePath(reader)
  if (reader.peek().kind === 'name' || ['AS', 'AT', 'BY'].some((keyword) => reader.isKeyword(keyword))) {
    throw aliased()
  }
  if (reader.isSymbol(',')) throw refused('Only select from a single table or index is supported.')
  if (rest.length > 0) throw refused('A path may contain at most 2 components in the FROM clause')
  return [table, index]
}

/** Refuses clauses of SQL that DynamoDB does not support. */
function refuseClauses(reader: StatementReader): void {
  if (reader.isKeyword('GROUP')) throw refused('Unsupported clause: GROUP BY')
  for (const clause of ['HAVING', 'LIMIT']) {
    if (reader.acceptKeyword(clause)) {
      throw refused(`Unsupported clause: ${clause} at ${parseExpression(reader).at}`)
    }
  }
}

function parseOrder(reader: StatementReader): OrderTerm[] {
  if (!reader.acceptKeyword('ORDER')) return []
  reader.expectKeyword('BY', 'Expected keyword BY')
  const terms: OrderTerm[] = []
  do {
    const { kind, at } = reader.peek()
    if (kind === 'end') throw notWellFormed('Unexpected term')
    const key = parseExpression(reader)
    if (key.kind !== 'path') throw unexpectedComponent(at)
    const [name, ...deeper] = key.path
    if (deeper.length > 0) {
      throw refused('Argument to ORDER BY must be of type VariableReference. Type: PATH')
    }
    const descending = reader.acceptKeyword('DESC')
    if (!descending) reader.acceptKeyword('ASC')
    terms.push({ name, descending })
  } while (reader.acceptSymbol(','))
  return terms
}

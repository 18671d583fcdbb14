import { parseExpression, parseTuple } from './parse-expression.js'
import { parsePath, parseTablePath } from './parse-path.js'
import { parseReturning } from './parse-returning.js'
import { parseSelect } from './parse-select.js'
import type {
  DeleteStatement,
  ExistsStatement,
  ExpressionAst,
  InsertStatement,
  ParsedStatement,
  StatementAst,
  UpdateStatement,
} from './statement-ast.js'
import { aliased, notWellFormed, refused } from './statement-error.js'
import { StatementReader, TOKEN_AFTER_EXPRESSION } from './statement-reader.js'

/**
 * Parses a PartiQL statement. Parameters are not resolved, so the result can be cached by the text.
 *
 * @throws ValidationError with the service's text.
 * @example
 * parseStatement(`SELECT sk FROM "audit_log" WHERE pk = ? AND sk > '2026'`)
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.statements.html
 */
export function parseStatement(text: string): ParsedStatement {
  const reader = new StatementReader(text)
  const statement = parseOperation(reader)
  reader.finish()
  return { statement, parameterCount: reader.parameterCount }
}

function parseOperation(reader: StatementReader): StatementAst {
  const { kind, text } = reader.peek()
  switch (kind === 'keyword' ? text : '') {
    case 'SELECT':
      return parseSelect(reader)
    case 'INSERT':
      return parseInsert(reader)
    case 'UPDATE':
      return parseUpdate(reader)
    case 'FROM':
      return parseFromFirst(reader)
    case 'DELETE':
      return parseDelete(reader)
    case 'EXISTS':
      return parseExists(reader)
    case 'CREATE':
    case 'DROP':
      if (reader.isKeyword('TABLE', 1)) {
        throw refused(`Unsupported operation: ${text === 'DROP' ? 'DropTable' : 'CreateTable'}`)
      }
      throw notWellFormed('Expected data manipulation')
    default:
      // A type test that stands alone.
      if (reader.isKeyword('IS', 1)) throw refused('Unsupported operation: IsType')
      throw notWellFormed('Expected data manipulation')
  }
}

function parseInsert(reader: StatementReader): InsertStatement {
  reader.take()
  reader.expectKeyword('INTO', 'Expected keyword INTO')
  const [table = '', ...index] = parseTablePath(reader)
  if (reader.isKeyword('VALUES') || reader.isSymbol('<<') || reader.isSymbol('{')) {
    throw refused('Unsupported operation: InsertOp')
  }
  if (!reader.acceptKeyword('VALUE')) throw notWellFormed(TOKEN_AFTER_EXPRESSION)
  const { at } = reader.peek()
  if (!reader.isSymbol('{')) {
    parseExpression(reader)
    throw refused(
      `Unsupported format in item expression. Please use struct format {...} to express item values for insert statement. at ${at}`,
    )
  }
  const item = parseTuple(reader)
  if (parseReturning(reader) !== undefined) throw refused('RETURNING is not supported in INSERT')
  reader.finish()
  if (index.length > 0) {
    throw refused('FROM clause may only contain a single table name in data manipulation statements')
  }
  return { kind: 'insert', table, item }
}

function parseUpdate(reader: StatementReader): UpdateStatement {
  reader.take()
  const table = parseTarget(reader)
  const changes = parseChanges(reader)
  const where = parseWhere(reader)
  const returning = parseReturning(reader)
  return updateOf(table, changes, where, returning)
}

/** The other order of an UPDATE: `FROM "t" WHERE ... SET ...`. */
function parseFromFirst(reader: StatementReader): UpdateStatement {
  reader.take()
  const table = parseTarget(reader)
  const where = parseWhere(reader)
  const changes = parseChanges(reader)
  const returning = parseReturning(reader)
  return updateOf(table, changes, where, returning)
}

type Changes = Pick<UpdateStatement, 'set' | 'remove'>

function updateOf(
  table: string,
  changes: Changes,
  where: ExpressionAst | undefined,
  returning: UpdateStatement['returning'],
): UpdateStatement {
  return {
    kind: 'update',
    table,
    ...changes,
    ...(where === undefined ? {} : { where }),
    ...(returning === undefined ? {} : { returning }),
  }
}

/** `SET a = 1, b = 2 SET c = 3 REMOVE d REMOVE e`: one or more clauses in any order. */
function parseChanges(reader: StatementReader): Changes {
  const set: UpdateStatement['set'][number][] = []
  const remove: UpdateStatement['remove'][number][] = []
  for (;;) {
    if (reader.acceptKeyword('SET')) {
      do {
        const { path } = parsePath(reader)
        reader.expectSymbol('=', 'Expected assignment')
        set.push({ path, value: parseExpression(reader) })
      } while (reader.acceptSymbol(','))
    } else if (reader.acceptKeyword('REMOVE')) remove.push(parsePath(reader).path)
    else if (set.length + remove.length === 0) throw notWellFormed('Expected data manipulation')
    else return { set, remove }
  }
}

function parseDelete(reader: StatementReader): DeleteStatement {
  reader.take()
  reader.expectKeyword('FROM', 'Expected keyword FROM')
  const table = parseTarget(reader)
  const where = parseWhere(reader)
  const returning = parseReturning(reader)
  if (returning !== undefined && (returning.what !== 'ALL' || returning.when !== 'OLD')) {
    throw refused(
      `Invalid returning clause: RETURNING ${returning.what} ${returning.when} *. Only RETURNING ALL OLD * is allowed in DELETE statements.`,
    )
  }
  return {
    kind: 'delete',
    table,
    ...(where === undefined ? {} : { where }),
    ...(returning === undefined ? {} : { returning }),
  }
}

function parseExists(reader: StatementReader): ExistsStatement {
  reader.take()
  reader.expectSymbol('(', TOKEN_AFTER_EXPRESSION)
  if (!reader.isKeyword('SELECT')) throw notWellFormed('Unexpected term')
  const select = parseSelect(reader)
  reader.expectSymbol(')', TOKEN_AFTER_EXPRESSION)
  return { kind: 'exists', select }
}

/** The table that a statement changes; an index or an alias is refused. */
function parseTarget(reader: StatementReader): string {
  const [table = '', ...index] = parseTablePath(reader)
  if (reader.peek().kind === 'name' || reader.isKeyword('AS')) throw aliased()
  if (index.length > 0) throw refused('This operation is not supported on an index')
  return table
}

function parseWhere(reader: StatementReader): ExpressionAst | undefined {
  return reader.acceptKeyword('WHERE') ? parseExpression(reader) : undefined
}

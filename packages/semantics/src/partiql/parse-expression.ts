import { parsePath } from './parse-path.js'
import type { CallExpression, ExpressionAst, TupleExpression } from './statement-ast.js'
import { notWellFormed, refused, unexpectedComponent, unrecognizedFunction } from './statement-error.js'
import type { StatementReader } from './statement-reader.js'
import { parseTypeName } from './type-name.js'

/** Operators of two operands, loosest first; operators of one row bind equally and group to the left. */
const PRECEDENCE: readonly (readonly string[])[] = [['||'], ['+', '-'], ['*', '/', '%']]
const COMPARATORS: ReadonlySet<string> = new Set(['=', '<>', '!=', '<', '<=', '>', '>='])

/** Parses any expression: condition, operand or literal. Binding decides later which of them is allowed where. */
export function parseExpression(reader: StatementReader): ExpressionAst {
  return reader.nested(() =>
    infixKeyword(reader, 'OR', () => infixKeyword(reader, 'AND', () => parseNot(reader))),
  )
}

function infixKeyword(
  reader: StatementReader,
  keyword: 'AND' | 'OR',
  operand: () => ExpressionAst,
): ExpressionAst {
  let left = operand()
  while (reader.isKeyword(keyword)) {
    const { at } = reader.take()
    left = { kind: 'binary', operator: keyword.toLowerCase(), left, right: rightHand(reader, operand), at }
    reader.countOperator()
  }
  return left
}

function parseNot(reader: StatementReader): ExpressionAst {
  if (!reader.isKeyword('NOT')) return parseComparison(reader)
  const { at } = reader.take()
  reader.countOperator()
  return { kind: 'unary', operator: 'not', operand: reader.nested(() => parseNot(reader)), at }
}

function parseComparison(reader: StatementReader): ExpressionAst {
  let left = parseSum(reader)
  for (;;) {
    const { kind, text, at } = reader.peek()
    if (kind === 'symbol' && COMPARATORS.has(text)) {
      reader.take()
      const operator = text === '!=' ? '<>' : text
      left = { kind: 'binary', operator, left, right: rightHand(reader, () => parseSum(reader)), at }
    } else if (reader.isKeyword('IS')) left = parseIs(reader, left)
    else {
      const negated = reader.isKeyword('NOT')
      const test = parseKeywordTest(reader, left, negated ? 1 : 0)
      if (test === undefined) return left
      left = negated ? { kind: 'unary', operator: 'not', operand: test, at } : test
    }
    reader.countOperator()
  }
}

/** `BETWEEN`, `IN` or `LIKE` and the rest of it; `undefined` when none of them comes next. */
function parseKeywordTest(
  reader: StatementReader,
  operand: ExpressionAst,
  ahead: number,
): ExpressionAst | undefined {
  const keyword = ['BETWEEN', 'IN', 'LIKE'].find((each) => reader.isKeyword(each, ahead))
  if (keyword === undefined) return undefined
  for (let skipped = 0; skipped < ahead; skipped++) reader.take()
  const { at } = reader.take()
  if (keyword === 'IN') return { kind: 'in', operand, options: parseOptions(reader), at }
  const right = rightHand(reader, () => parseSum(reader))
  if (keyword === 'LIKE') return { kind: 'binary', operator: 'like', left: operand, right, at }
  reader.expectKeyword('AND', 'Expected AND after BETWEEN')
  return { kind: 'between', operand, from: right, to: rightHand(reader, () => parseSum(reader)), at }
}

/** The right side of IN. Parentheses are a list there even around one value; elsewhere they only group. */
function parseOptions(reader: StatementReader): ExpressionAst {
  if (!reader.isSymbol('(')) return rightHand(reader, () => parseSum(reader))
  const { at } = reader.take()
  if (reader.isSymbol(')')) throw notWellFormed('Unexpected term')
  return { kind: 'list', members: parseMembers(reader, ')'), at }
}

function parseIs(reader: StatementReader, operand: ExpressionAst): ExpressionAst {
  const { at } = reader.take()
  const negated = reader.acceptKeyword('NOT')
  const test: ExpressionAst = { kind: 'is', operand, type: parseTypeName(reader), at }
  return negated ? { kind: 'unary', operator: 'not', operand: test, at } : test
}

function parseSum(reader: StatementReader, row = 0): ExpressionAst {
  const operators = PRECEDENCE[row]
  if (operators === undefined) return parseUnary(reader)
  let left = parseSum(reader, row + 1)
  while (operators.some((operator) => reader.isSymbol(operator))) {
    const { text, at } = reader.take()
    left = {
      kind: 'binary',
      operator: text,
      left,
      right: rightHand(reader, () => parseSum(reader, row + 1)),
      at,
    }
    reader.countOperator()
  }
  return left
}

function parseUnary(reader: StatementReader): ExpressionAst {
  const { text: sign, at } = reader.peek()
  if (!reader.isSymbol('-') && !reader.isSymbol('+')) return parsePrimary(reader)
  reader.take()
  const operand = reader.nested(() => parseUnary(reader))
  if (operand.kind === 'number') {
    const text = sign === '-' ? negate(operand.text) : operand.text
    return { kind: 'number', text, at: operand.at }
  }
  return { kind: 'unary', operator: sign === '-' ? '-' : '+', operand, at }
}

function negate(number: string): string {
  return number.startsWith('-') ? number.slice(1) : `-${number}`
}

function parsePrimary(reader: StatementReader): ExpressionAst {
  const { kind, text, at } = reader.peek()
  if ((kind === 'name' || kind === 'keyword') && reader.isSymbol('(', 1)) return parseCall(reader)
  if (kind === 'name') return parsePath(reader)
  if (kind === 'keyword') return parseKeywordLiteral(reader)
  if (kind === 'string' || kind === 'number') {
    reader.take()
    return { kind, text, at }
  }
  if (kind === 'end') throw reader.unexpected()
  return parseSymbolLiteral(reader)
}

function parseKeywordLiteral(reader: StatementReader): ExpressionAst {
  const { text, at } = reader.peek()
  switch (text) {
    case 'TRUE':
    case 'FALSE':
      reader.take()
      return { kind: 'boolean', value: text === 'TRUE', at }
    case 'NULL':
      reader.take()
      return { kind: 'null', at }
    case 'MISSING':
      reader.take()
      return { kind: 'missing', at }
    case 'CASE':
    case 'SELECT':
      throw refused(`Unsupported token in expression: ${text} at ${at}`)
    default:
      throw reader.unexpected()
  }
}

function parseSymbolLiteral(reader: StatementReader): ExpressionAst {
  const { text, at } = reader.peek()
  switch (text) {
    case '?':
      reader.take()
      return { kind: 'parameter', index: reader.nextParameter(), at }
    case '[':
      reader.take()
      return { kind: 'list', members: parseMembers(reader, ']'), at }
    case '<<':
      reader.take()
      return { kind: 'bag', members: parseMembers(reader, '>>'), at }
    case '{':
      return parseTuple(reader)
    case '(': {
      reader.take()
      const [first, ...rest] = parseMembers(reader, ')')
      if (first === undefined) throw notWellFormed('Unexpected term')
      return rest.length === 0 ? first : { kind: 'list', members: [first, ...rest], at }
    }
    default:
      throw reader.unexpected()
  }
}

function parseCall(reader: StatementReader): CallExpression {
  const { text, at } = reader.take()
  const name = text.toLowerCase()
  reader.take()
  if (reader.isSymbol('*')) throw unexpectedComponent(at)
  if (reader.isKeyword('SELECT')) throw unrecognizedFunction(name, at)
  reader.countOperator()
  return { kind: 'call', name, operands: parseMembers(reader, ')'), at }
}

export function parseTuple(reader: StatementReader): TupleExpression {
  const { at } = reader.take()
  const members: { key: ExpressionAst; value: ExpressionAst }[] = []
  while (!reader.isSymbol('}')) {
    if (members.length > 0) expectComma(reader)
    const key = parseExpression(reader)
    reader.expectSymbol(':', 'Expected colon after the key of a member')
    members.push({ key, value: parseExpression(reader) })
  }
  reader.take()
  return { kind: 'tuple', members, at }
}

function parseMembers(reader: StatementReader, close: string): ExpressionAst[] {
  const members: ExpressionAst[] = []
  while (!reader.isSymbol(close)) {
    if (members.length > 0) expectComma(reader)
    members.push(parseExpression(reader))
  }
  reader.take()
  return members
}

function expectComma(reader: StatementReader): void {
  reader.expectSymbol(',', 'Expected comma between members')
}

function rightHand(reader: StatementReader, operand: () => ExpressionAst): ExpressionAst {
  if (reader.isEnd()) throw notWellFormed('Missing right-hand side expression of infix operator')
  return operand()
}

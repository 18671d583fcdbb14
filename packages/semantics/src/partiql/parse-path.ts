import {
  type DocumentPath,
  indexRangeText,
  MAX_INDEX,
  tooDeepPathText,
} from '../expressions/document-path.js'
import { MAX_NESTING_DEPTH } from '../limits.js'
import type { PathExpression } from './statement-ast.js'
import { emptyName, notWellFormed, refused, unexpectedComponent } from './statement-error.js'
import type { StatementReader } from './statement-reader.js'

const IDENTIFIER_EXPECTED = 'Expected identifier for simple path'

/** A path such as `a.b[0]."c d"` or `a['b']`. */
export function parsePath(reader: StatementReader): PathExpression {
  const first = reader.peek()
  if (first.kind !== 'name') throw notWellFormed(IDENTIFIER_EXPECTED)
  reader.take()
  const path: [string, ...(string | number)[]] = [nonEmpty(first.text)]
  for (;;) {
    if (reader.acceptSymbol('.')) path.push(parseMember(reader))
    else if (reader.acceptSymbol('[')) path.push(parseElement(reader))
    else break
  }
  if (path.length > MAX_NESTING_DEPTH) {
    throw refused(tooDeepPathText(path.length))
  }
  return { kind: 'path', path, at: first.at }
}

/** The name of a table, or the names of a table and an index. */
export function parseTablePath(reader: StatementReader): readonly string[] {
  const { path } = parsePath(reader)
  if (path.every(isName)) return path
  throw notWellFormed(IDENTIFIER_EXPECTED)
}

function isName(step: DocumentPath[number]): step is string {
  return typeof step === 'string'
}

function parseMember(reader: StatementReader): string {
  if (reader.isSymbol('*')) throw refused("Changing item's hierarchy while reading isn't supported")
  const { kind, text } = reader.peek()
  if (kind !== 'name') throw notWellFormed('Invalid path dot component')
  reader.take()
  return nonEmpty(text)
}

function parseElement(reader: StatementReader): string | number {
  const { at: signAt } = reader.peek()
  const negative = reader.acceptSymbol('-')
  const { kind, text, at } = reader.peek()
  if (kind !== 'number' && kind !== 'string') {
    throw kind === 'name' || reader.isSymbol('?') ? unexpectedComponent(at) : reader.unexpected()
  }
  reader.take()
  if (!reader.acceptSymbol(']')) throw unexpectedComponent(reader.peek().at)
  if (negative && kind === 'string') throw unexpectedComponent(signAt)
  if (kind === 'string') return nonEmpty(text)
  if (!/^\d+$/.test(text)) throw unexpectedComponent(at)
  const index = Number(text)
  if (negative || index > MAX_INDEX) {
    const written = negative ? `-${text}` : text
    throw refused(`${indexRangeText(written)} at ${at}`)
  }
  return index
}

function nonEmpty(name: string): string {
  if (name === '') throw emptyName()
  return name
}

import type { AttributeType } from '../attribute-value.js'
import { notWellFormed } from './statement-error.js'
import type { StatementReader } from './statement-reader.js'

/** The types after IS that DynamoDB has, except MISSING. */
export const TYPES: ReadonlyMap<string, AttributeType> = new Map<string, AttributeType>([
  ['NULL', 'NULL'],
  ['BOOL', 'BOOL'],
  ['BOOLEAN', 'BOOL'],
  ['BLOB', 'B'],
  ['STRING', 'S'],
  ['NUMERIC', 'N'],
  ['STRUCT', 'M'],
  ['TUPLE', 'M'],
  ['LIST', 'L'],
])

/** Types of the language that no attribute can have, by their names in errors: they parse and are refused. */
const FOREIGN: ReadonlyMap<string, string> = new Map(
  [
    'BAG CLOB DATE DECIMAL DOUBLE FLOAT REAL SEXP SMALLINT SYMBOL TIME TIMESTAMP CHARACTER VARCHAR'
      .split(' ')
      .map((name): [string, string] => [name, name]),
    'INT INT2 INT4 INT8 INTEGER INTEGER2 INTEGER4 INTEGER8'
      .split(' ')
      .map((name): [string, string] => [name, 'INTEGER']),
    [['CHAR', 'CHARACTER'] satisfies [string, string]],
  ].flat(),
)

/** Types of two words, by their first word. */
const SECOND_WORD: ReadonlyMap<string, string> = new Map([
  ['DOUBLE', 'PRECISION'],
  ['CHARACTER', 'VARYING'],
])

/** The type after IS, in upper case. */
export function parseTypeName(reader: StatementReader): string {
  const { kind, text } = reader.peek()
  const type = text.toUpperCase()
  const isWord = kind === 'keyword' || kind === 'name'
  const name = type === 'MISSING' || TYPES.has(type) ? type : FOREIGN.get(type)
  if (!isWord || name === undefined) throw notWellFormed('Expected type name')
  reader.take()
  const second = SECOND_WORD.get(type)
  return second !== undefined && reader.acceptKeyword(second) ? `${name} ${second}` : name
}

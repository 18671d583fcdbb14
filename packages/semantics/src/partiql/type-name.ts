import type { AttributeType } from '../attribute-value.js'
import { notWellFormed } from './statement-error.js'
import type { StatementReader } from './statement-reader.js'

/** What the right side of IS may name that DynamoDB has, besides MISSING. */
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

/** Types of the language that no attribute has: they read well and are refused by name. */
const FOREIGN: ReadonlySet<string> = new Set(
  'BAG CHAR CHARACTER CLOB DATE DECIMAL DOUBLE FLOAT INT INT2 INT4 INT8 INTEGER INTEGER2 INTEGER4 INTEGER8 REAL SEXP SMALLINT SYMBOL TIME TIMESTAMP VARCHAR'.split(
    ' ',
  ),
)

/** Types of two words, by the first. */
const SECOND_WORD: ReadonlyMap<string, string> = new Map([
  ['DOUBLE', 'PRECISION'],
  ['CHARACTER', 'VARYING'],
])

/** The type after IS, in upper case. */
export function parseTypeName(reader: StatementReader): string {
  const { kind, text } = reader.peek()
  const type = text.toUpperCase()
  const known = kind === 'keyword' || kind === 'name'
  if (!known || !(type === 'MISSING' || TYPES.has(type) || FOREIGN.has(type))) {
    throw notWellFormed('Expected type name')
  }
  reader.take()
  const second = SECOND_WORD.get(type)
  if (second !== undefined && reader.acceptKeyword(second)) return `${type} ${second}`
  return type
}

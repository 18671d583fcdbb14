import { type Mark, placeOf } from './mark.js'
import type { Syntax } from './syntax.js'

/**
 * What a mutant replaces of the code at a mark:
 *
 * - `statement`: the whole statement; an empty replacement leaves it out
 * - `condition`: what an `if` or a loop asks
 * - `value`: what is returned, assigned, or given to a variable or property
 * - `property`: a property of an object, name and value; an empty replacement leaves it out
 * - `element`: an element of a list, or an argument of a call; an empty replacement leaves it out
 * - `expression`: an expression within a line
 */
export type MarkedKind = 'statement' | 'condition' | 'value' | 'property' | 'element' | 'expression'

/** A range of the file's text. */
export interface MarkedCode {
  readonly start: number
  readonly end: number
}

/** @throws Error where the code at the mark has no such part */
export function markedCode(mark: Mark, kind: MarkedKind): MarkedCode {
  const code = PARTS[kind](mark.code)
  if (code !== undefined) return code
  const kinds = (Object.keys(PARTS) as MarkedKind[]).filter((other) => PARTS[other](mark.code) !== undefined)
  throw new Error(
    `The code at the mark "${mark.name}" at ${placeOf(mark)} has no ${kind}. It can be replaced as: ${kinds.join(', ')}.`,
  )
}

const PARTS: Readonly<Record<MarkedKind, (code: Syntax) => MarkedCode | undefined>> = {
  statement: (code) => (isStatement(code) ? code : undefined),
  condition: (code) => (isStatement(code) ? childAt(code, 'test') : undefined),
  value: valueIn,
  property: (code) => (code.type === 'Property' ? code : undefined),
  element: (code) => (isElement(code) ? code : undefined),
  expression: (code) => (isStatement(code) || code.type === 'Property' || isElement(code) ? undefined : code),
}

function isStatement({ type }: Syntax): boolean {
  return type.endsWith('Statement') || type === 'VariableDeclaration'
}

function isElement({ field, parent }: Syntax): boolean {
  return (
    (field === 'elements' && parent?.type === 'ArrayExpression') ||
    (field === 'arguments' && (parent?.type === 'CallExpression' || parent?.type === 'NewExpression'))
  )
}

function valueIn(code: Syntax): Syntax | undefined {
  const [only, ...others] = code.children
  switch (code.type) {
    case 'Property':
      return childAt(code, 'value')
    case 'ReturnStatement':
      return childAt(code, 'argument')
    case 'ExpressionStatement':
      return only?.type === 'AssignmentExpression' ? childAt(only, 'right') : undefined
    case 'VariableDeclaration':
      return only === undefined || others.length > 0 ? undefined : childAt(only, 'init')
    default:
      return undefined
  }
}

function childAt({ children }: Syntax, field: string): Syntax | undefined {
  return children.find((child) => child.field === field)
}

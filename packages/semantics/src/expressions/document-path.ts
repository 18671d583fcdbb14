import type { AttributeValue, Item } from '../attribute-value.js'
import { MAX_NESTING_DEPTH } from '../limits.js'
import type { ExpressionReader } from './expression-reader.js'

/** A step of a path as written: a name, a `#placeholder` for one, or a list index. */
export type PathStep =
  | { readonly name: string }
  | { readonly placeholder: string }
  | { readonly index: number }

/** A path as written, such as `#a.tags[0]`. */
export interface PathAst {
  readonly kind: 'path'
  readonly steps: readonly [PathStep, ...PathStep[]]
}

/** A path with its placeholders resolved: names and list indexes. It always begins with a name. */
export type DocumentPath = readonly [string, ...(string | number)[]]

/** The highest index that the service reads. */
export const MAX_INDEX = 2_147_483_647

export function parsePath(reader: ExpressionReader): PathAst {
  const first = reader.peek()
  const steps: [PathStep, ...PathStep[]] = [parseName(reader)]
  for (;;) {
    if (reader.acceptSymbol('.')) steps.push(parseName(reader))
    else if (reader.acceptSymbol('[')) steps.push(parseIndex(reader))
    else break
  }
  if (steps.length > MAX_NESTING_DEPTH) {
    reader.note('names', first, tooDeepPathText(steps.length))
  }
  return { kind: 'path', steps }
}

function parseName(reader: ExpressionReader): PathStep {
  const token = reader.peek()
  const { kind, text } = token
  if (kind !== 'word' && kind !== 'name') throw reader.syntaxError()
  reader.take()
  if (kind === 'name') return { placeholder: text }
  const refusal = reader.refusalOf(text)
  if (refusal !== undefined) reader.note('names', token, refusal)
  return { name: text }
}

function parseIndex(reader: ExpressionReader): PathStep {
  const token = reader.peek()
  if (token.kind !== 'number') throw reader.syntaxError()
  const index = Number(token.text)
  if (index > MAX_INDEX) {
    reader.note('names', token, indexRangeText(token.text))
  }
  reader.take()
  reader.expectSymbol(']')
  return { index }
}

export function tooDeepPathText(levels: number): string {
  return `The document path has too many nesting levels; nesting levels: ${levels}`
}

export function indexRangeText(index: string): string {
  return `List index is not within the allowable range; index: [${index}]`
}

/** The path as text that parses to the same path. */
export function printPath({ steps }: PathAst): string {
  return steps.map(printStep).join('')
}

function printStep(step: PathStep, position: number): string {
  if ('index' in step) return `[${step.index}]`
  const name = 'name' in step ? step.name : step.placeholder
  return position === 0 ? name : `.${name}`
}

/** An order of paths that do not overlap: by the steps from the left, indexes as numbers, indexes before names. */
export function comparePaths(a: DocumentPath, b: DocumentPath): number {
  const shorter = Math.min(a.length, b.length)
  for (let position = 0; position < shorter; position++) {
    const order = compareSteps(a[position] ?? 0, b[position] ?? 0)
    if (order !== 0) return order
  }
  return a.length - b.length
}

function compareSteps(a: string | number, b: string | number): number {
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}

/** The path as the service prints it in its errors: `[a, b, [0]]`. */
export function describePath(path: DocumentPath): string {
  return `[${path.map((step) => (typeof step === 'number' ? `[${step}]` : step)).join(', ')}]`
}

/** The value at the path, if there is one. */
export function valueAt(item: Item, path: DocumentPath): AttributeValue | undefined {
  let value = attributeOf(item, path[0])
  for (let position = 1; position < path.length && value !== undefined; position++) {
    const step = path[position]
    value = typeof step === 'number' ? elementOf(value, step) : memberOf(value, step)
  }
  return value
}

/** The item's own attribute: one called `constructor` must not be found on every item. */
export function attributeOf(item: Item, name: string): AttributeValue | undefined {
  return Object.hasOwn(item, name) ? item[name] : undefined
}

function elementOf(value: AttributeValue, index: number): AttributeValue | undefined {
  return 'L' in value ? value.L[index] : undefined
}

function memberOf(value: AttributeValue, name: string | undefined): AttributeValue | undefined {
  return 'M' in value && name !== undefined ? attributeOf(value.M, name) : undefined
}

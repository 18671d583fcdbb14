import type { AttributeValue, Item } from '../attribute-value.js'
import { attributeOf, type DocumentPath, type PathAst, parsePath, printPath } from './document-path.js'
import { ExpressionReader, type WordRefusal } from './expression-reader.js'
import { assertPathsApart } from './path-conflicts.js'
import type { Placeholders } from './placeholders.js'
import { defineAttribute } from './write-path.js'

/** A projection as written. */
export type ProjectionAst = readonly PathAst[]

/** The parts to keep, as a tree: a node without branches keeps everything below it. */
export interface Projection {
  readonly names: ReadonlyMap<string, Projection>
  /** In ascending order, because a projected list keeps the order of the list. */
  readonly indexes: readonly (readonly [number, Projection])[]
}

const PARAMETER = 'ProjectionExpression'
const ALL_BELOW: Projection = { names: new Map(), indexes: [] }

/**
 * Parses a projection. Placeholders are not resolved, so the result can be cached by the text.
 * @throws ValidationError with the service's text.
 * @param refusalOf refuses words that cannot name an attribute: `reservedWordText`. Default: none, for a caller that
 * leaves the check to the service.
 * @example
 * parseProjection('pk, #t[0], address.city')
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.ProjectionExpressions.html
 */
export function parseProjection(text: string, refusalOf?: WordRefusal): ProjectionAst {
  const reader = new ExpressionReader(PARAMETER, text, refusalOf)
  const paths = reader.list(() => parsePath(reader))
  reader.finish()
  return paths
}

/** The projection as text that parses to the same projection. */
export function printProjection(paths: ProjectionAst): string {
  return paths.map(printPath).join(', ')
}

/** @throws ValidationError for undefined names and for paths that overlap. */
export function bindProjection(ast: ProjectionAst, placeholders: Placeholders): Projection {
  const paths = ast.map((path) => placeholders.path(PARAMETER, path))
  assertPathsApart(PARAMETER, paths)
  return projectionOf(paths)
}

/** The projection that keeps exactly the given paths. */
export function projectionOf(paths: readonly DocumentPath[], depth = 0): Projection {
  if (depth > 0 && paths.every(({ length }) => length === depth)) return ALL_BELOW
  const names = new Map<string, DocumentPath[]>()
  const indexes = new Map<number, DocumentPath[]>()
  for (const path of paths) {
    const step = path[depth]
    if (typeof step === 'string') append(names, step, path)
    else if (step !== undefined) append(indexes, step, path)
  }
  const kept = new Map<string, Projection>()
  for (const [name, below] of names) kept.set(name, projectionOf(below, depth + 1))
  return {
    names: kept,
    indexes: [...indexes]
      .sort(([a], [b]) => a - b)
      .map(([index, below]) => [index, projectionOf(below, depth + 1)] as const),
  }
}

/**
 * The part of an item that the projection keeps. Missing values are left out, and list elements close the gaps.
 *
 * @example
 * const projection = bindProjection(parseProjection('a.b[2]'), new Placeholders())
 * project(projection, { a: { M: { b: { L: [{ N: '1' }, { N: '2' }, { N: '3' }] } } } })
 * // { a: { M: { b: { L: [{ N: '3' }] } } } }
 */
export function project(projection: Projection, item: Item): Item {
  const kept: Item = {}
  for (const [name, below] of projection.names) {
    const value = attributeOf(item, name)
    const part = value === undefined ? undefined : projectValue(below, value)
    if (part !== undefined) defineAttribute(kept, name, part)
  }
  return kept
}

function projectValue(projection: Projection, value: AttributeValue): AttributeValue | undefined {
  if (projection.names.size > 0) {
    const kept = 'M' in value ? project(projection, value.M) : {}
    return Object.keys(kept).length > 0 ? { M: kept } : undefined
  }
  if (projection.indexes.length === 0) return value
  if (!('L' in value)) return undefined
  const kept = projection.indexes.flatMap(([index, below]) => {
    const element = value.L[index]
    const part = element === undefined ? undefined : projectValue(below, element)
    return part === undefined ? [] : [part]
  })
  return kept.length > 0 ? { L: kept } : undefined
}

function append<K>(groups: Map<K, DocumentPath[]>, key: K, path: DocumentPath): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [path])
  else group.push(path)
}

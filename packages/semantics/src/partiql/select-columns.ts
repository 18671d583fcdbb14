import type { AttributeValue, Item } from '../attribute-value.js'
import { comparePaths, type DocumentPath, valueAt } from '../expressions/document-path.js'
import { assertPathsApart } from '../expressions/path-conflicts.js'
import { project, projectionOf } from '../expressions/projection.js'
import { defineAttribute } from '../expressions/write-path.js'
import type { ValidationError } from '../validation-error.js'
import { inStatement, refused } from './statement-error.js'

/** One column of a result: its name, the path of its value, and the part of a document that it keeps. */
export interface Column {
  readonly name: string
  readonly path: DocumentPath
  /** The paths to keep inside the value, when the document there must keep its shape. */
  readonly within?: readonly DocumentPath[]
}

/**
 * The columns of a SELECT. A result is flat: a path's last name becomes an attribute, and an index stays a part of the
 * name, as in `tags[0]`. A document below an index keeps its shape.
 *
 * @throws ValidationError when two columns have one name, or one lies inside another.
 */
export function selectColumns(paths: readonly DocumentPath[]): Column[] {
  const names = new Set<string>()
  for (const path of paths) {
    const name = lastName(path)
    if (names.has(name)) throw duplicate(name)
    names.add(name)
  }
  inStatement(() => assertPathsApart('ProjectionExpression', paths))
  const columns = new Map<string, Column>()
  for (const column of paths.map(toColumn)) {
    const same = columns.get(column.name)
    if (same !== undefined && comparePaths(same.path, column.path) !== 0) throw duplicate(column.name)
    const within = [...(same?.within ?? []), ...(column.within ?? [])]
    columns.set(column.name, within.length > 0 ? { ...column, within } : column)
  }
  return [...columns.values()]
}

function duplicate(name: string): ValidationError {
  return refused(`Duplicate identifiers in select clause: ${name}`)
}

/** The columns' part of an item. Missing values are left out. */
export function selectItem(columns: readonly Column[], item: Item): Item {
  const kept: Item = {}
  for (const { name, path, within } of columns) {
    const value = valueAt(item, path)
    const part = value === undefined || within === undefined ? value : partOf(value, within)
    if (part !== undefined) defineAttribute(kept, name, part)
  }
  return kept
}

function partOf(value: AttributeValue, within: readonly DocumentPath[]): AttributeValue | undefined {
  if (!('M' in value)) return undefined
  const part = project(projectionOf(within), value.M)
  return Object.keys(part).length > 0 ? { M: part } : undefined
}

function toColumn(path: DocumentPath): Column {
  const index = path.findIndex((step) => typeof step === 'number')
  if (index < 0) return { name: lastName(path), path }
  const [first, ...rest] = path
  let end = index
  while (typeof path[end] === 'number') end++
  const [name, ...deeper] = path.slice(end)
  return {
    name: lastName([first, ...rest.slice(0, end - 1)]),
    path: [first, ...rest.slice(0, end - 1)],
    ...(name === undefined ? {} : { within: [[String(name), ...deeper]] }),
  }
}

/** The last name of a path with the indexes that follow it. */
function lastName(path: DocumentPath): string {
  const at = path.findLastIndex((step) => typeof step === 'string')
  const indexes = path.slice(at + 1).map((index) => `[${index}]`)
  return `${path[at]}${indexes.join('')}`
}

import type { ValidationError } from '../validation-error.js'
import { comparePaths, type DocumentPath, describePath } from './document-path.js'
import { type ExpressionParameter, invalid } from './lexer.js'

/** Up to this number, comparing all pairs is faster than sorting the paths. */
const FEW_PATHS = 8

/**
 * No path can be a part of another, and no place can be a list in one path and a map in another.
 * @throws ValidationError naming the first pair.
 */
export function assertPathsApart(parameter: ExpressionParameter, paths: readonly DocumentPath[]): void {
  if (paths.length > FEW_PATHS && areApart(paths)) return
  for (const [position, second] of paths.entries()) {
    for (let earlier = 0; earlier < position; earlier++) {
      const first = paths[earlier]
      const relation = first === undefined ? 'apart' : relate(first, second)
      if (first !== undefined && relation !== 'apart') throw refuse(parameter, relation, first, second)
    }
  }
}

/** Sorted paths that overlap are neighbours. Usually none do, and then comparing all pairs is not necessary. */
function areApart(paths: readonly DocumentPath[]): boolean {
  let previous: DocumentPath | undefined
  for (const path of paths.toSorted(comparePaths)) {
    if (previous !== undefined && relate(previous, path) !== 'apart') return false
    previous = path
  }
  return true
}

function relate(first: DocumentPath, second: DocumentPath): 'overlap' | 'conflict' | 'apart' {
  const shorter = Math.min(first.length, second.length)
  for (let position = 0; position < shorter; position++) {
    const [a, b] = [first[position], second[position]]
    if (a === b) continue
    return typeof a === typeof b ? 'apart' : 'conflict'
  }
  return 'overlap'
}

function refuse(
  parameter: ExpressionParameter,
  relation: 'overlap' | 'conflict',
  first: DocumentPath,
  second: DocumentPath,
): ValidationError {
  return invalid(
    parameter,
    `Two document paths ${relation} with each other; must remove or rewrite one of these paths; path one: ${describePath(first)}, path two: ${describePath(second)}`,
  )
}

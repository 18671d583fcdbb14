import type { BoundCondition } from './bind-condition.js'
import type { BoundSetValue, BoundUpdate } from './bind-update.js'
import type { DocumentPath } from './document-path.js'
import type { BoundOperand } from './operand-binder.js'

/** Every path in a condition, in the order in which they are written. */
export function conditionPaths(condition: BoundCondition): readonly DocumentPath[] {
  const paths: DocumentPath[] = []
  collectFromCondition(condition, paths)
  return paths
}

/** Every path in an update: the changed ones first, then those that are read. */
export function updatePaths(update: BoundUpdate): readonly DocumentPath[] {
  const paths = [...update.touched]
  for (const { value } of update.set) collectFromValue(value, paths)
  return paths
}

function collectFromCondition(condition: BoundCondition, paths: DocumentPath[]): void {
  switch (condition.kind) {
    case 'and':
    case 'or':
      collectFromCondition(condition.left, paths)
      collectFromCondition(condition.right, paths)
      return
    case 'not':
      collectFromCondition(condition.condition, paths)
      return
    case 'compare':
      collectFromOperand(condition.left, paths)
      collectFromOperand(condition.right, paths)
      return
    case 'between':
      for (const operand of [condition.operand, condition.from, condition.to]) {
        collectFromOperand(operand, paths)
      }
      return
    case 'in':
      collectFromOperand(condition.operand, paths)
      for (const option of condition.options) collectFromOperand(option, paths)
      return
    case 'exists':
      collectFromOperand(condition.path, paths)
      return
    case 'type':
      collectFromOperand(condition.operand, paths)
      return
    case 'begins_with':
    case 'contains':
      collectFromOperand(condition.operand, paths)
      collectFromOperand(condition.part, paths)
  }
}

function collectFromOperand(operand: BoundOperand, paths: DocumentPath[]): void {
  if (operand.kind === 'path') paths.push(operand.path)
  else if (operand.kind === 'size') collectFromOperand(operand.operand, paths)
}

function collectFromValue(value: BoundSetValue, paths: DocumentPath[]): void {
  switch (value.kind) {
    case 'value':
      return
    case 'path':
      paths.push(value.path)
      return
    case 'plus':
    case 'minus':
      collectFromValue(value.left, paths)
      collectFromValue(value.right, paths)
      return
    case 'if_not_exists':
      paths.push(value.path)
      collectFromValue(value.fallback, paths)
      return
    case 'list_append':
      collectFromValue(value.first, paths)
      collectFromValue(value.second, paths)
  }
}

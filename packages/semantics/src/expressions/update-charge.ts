import { valueBytes } from '../item-size.js'
import { utf8Length } from '../utf8.js'
import type { BoundSetValue, BoundUpdate } from './bind-update.js'
import type { DocumentPath } from './document-path.js'

const STATEMENT_BYTES = 3
const WRITING_CLAUSE_BYTES = 19
const REMOVING_CLAUSE_BYTES = 1
const PATH_ELEMENT_BYTES = 14
const LATER_ELEMENT_BYTES = 4
const CALL_BYTES = { plus: 34, minus: 37, if_not_exists: 39, list_append: 37 } as const

/**
 * The size of an update's statement in bytes. Like the finished item, it must not exceed the limit of an item. A value
 * is counted each time that it is used; what a path reads and the members that are removed are not counted.
 *
 * Source: https://github.com/paritysuite/dynamodb-conformance (tests of item sizes), measured on the service in October 2026.
 * @example
 * const update = bindUpdate(parseUpdate('REMOVE l[10]'), new Placeholders())
 * updateChargeBytes(update) // 3 + 1 + 7
 */
export function updateChargeBytes({ set, remove, add, delete: taken }: BoundUpdate): number {
  let bytes = STATEMENT_BYTES
  for (const { path, value } of set) bytes += WRITING_CLAUSE_BYTES + targetBytes(path) + operandBytes(value)
  for (const { path, value } of add) bytes += WRITING_CLAUSE_BYTES + targetBytes(path) + valueBytes(value)
  for (const path of remove) bytes += REMOVING_CLAUSE_BYTES + targetBytes(path)
  for (const { path } of taken) bytes += REMOVING_CLAUSE_BYTES + targetBytes(path)
  return bytes
}

function operandBytes(operand: BoundSetValue): number {
  switch (operand.kind) {
    case 'value':
      return valueBytes(operand.value)
    case 'path':
      return pathBytes(operand.path)
    case 'plus':
    case 'minus':
      return CALL_BYTES[operand.kind] + operandBytes(operand.left) + operandBytes(operand.right)
    case 'if_not_exists':
      return CALL_BYTES[operand.kind] + pathBytes(operand.path) + operandBytes(operand.fallback)
    case 'list_append':
      return CALL_BYTES[operand.kind] + operandBytes(operand.first) + operandBytes(operand.second)
  }
}

function targetBytes(path: DocumentPath): number {
  return elementsBytes(path) + LATER_ELEMENT_BYTES * (path.length - 1)
}

function pathBytes(path: DocumentPath): number {
  return 1 + PATH_ELEMENT_BYTES * path.length + elementsBytes(path)
}

/** The bytes of names, and the digits of indexes. */
function elementsBytes(path: DocumentPath): number {
  return path.reduce<number>((sum, element) => sum + utf8Length(String(element)), 0)
}

import { attributeType } from '../attribute-type.js'
import type { AttributeValue, Item } from '../attribute-value.js'
import { addNumbers, subtractNumbers } from '../number/arithmetic.js'
import { ValidationError } from '../validation-error.js'
import type { BoundSetValue, BoundUpdate } from './bind-update.js'
import { comparePaths, type DocumentPath, valueAt } from './document-path.js'
import { Room } from './room-of-item.js'
import { addToSet, removeFromSet } from './set-members.js'
import { assertPlace, PathWriter } from './write-path.js'

/** The effect of an update on one path; without a value, the path is removed. */
interface Outcome {
  readonly path: DocumentPath
  readonly value: AttributeValue | undefined
}

/**
 * Returns the item after the update. The given item is not changed; unchanged parts are shared with it.
 *
 * Every right-hand side sees the item as it was before, and every list index refers to the list as it was before,
 * whatever the order of the clauses.
 *
 * `returnedAttributes` returns what the request asked for in ReturnValues.
 *
 * @param before the item, or only its key when there is no item yet.
 * @param options.isNew whether there is no item yet. The service then ignores a REMOVE below a missing attribute.
 * @throws ValidationError when the item does not fit the update.
 * @example
 * const update = bindUpdate(parseUpdate('ADD visits :one'), new Placeholders({}, { ':one': { N: '1' } }))
 * applyUpdate(update, { path: { S: '/' }, visits: { N: '41' } }) // { path: { S: '/' }, visits: { N: '42' } }
 */
export function applyUpdate(update: BoundUpdate, before: Item, { isNew = false } = {}): Item {
  for (const { path } of update.set) assertPlace(before, path)
  if (!isNew) for (const path of update.remove) assertPlace(before, path)
  for (const { path } of update.add) assertPlace(before, path)
  for (const { path } of update.delete) assertPlace(before, path)

  const outcomes = outcomesOf(update, before)
  const after = { ...before }
  const writer = new PathWriter(after)
  // Ascending, so that elements set past the end of a list land in the order of their indexes.
  for (const { path, value } of outcomes) if (value !== undefined) writer.write(path, value)
  // Descending, so that removing an element does not move those still to be removed.
  for (const { path, value } of outcomes.reverse()) {
    if (value === undefined && valueAt(before, path) !== undefined) writer.write(path, undefined)
  }
  return after
}

function outcomesOf(update: BoundUpdate, before: Item): Outcome[] {
  const outcomes: Outcome[] = []
  const room = new Room()
  for (const { path, value } of update.set)
    outcomes.push({ path, value: room.taken(evaluate(value, before, room)) })
  for (const path of update.remove) outcomes.push({ path, value: undefined })
  for (const { path, value } of update.add) outcomes.push({ path, value: sum(valueAt(before, path), value) })
  for (const { path, value } of update.delete)
    outcomes.push({ path, value: rest(valueAt(before, path), value) })
  return outcomes.length > 1 ? outcomes.sort((a, b) => comparePaths(a.path, b.path)) : outcomes
}

function evaluate(value: BoundSetValue, item: Item, room: Room): AttributeValue {
  switch (value.kind) {
    case 'value':
      return value.value
    case 'path':
      return valueAt(item, value.path) ?? missing()
    case 'if_not_exists':
      return valueAt(item, value.path) ?? evaluate(value.fallback, item, room)
    case 'list_append':
      return {
        L: room.joined(listOf(evaluate(value.first, item, room)), listOf(evaluate(value.second, item, room))),
      }
    case 'plus':
      return {
        N: addNumbers(
          numberOf(evaluate(value.left, item, room)),
          numberOf(evaluate(value.right, item, room)),
        ),
      }
    case 'minus':
      return {
        N: subtractNumbers(
          numberOf(evaluate(value.left, item, room)),
          numberOf(evaluate(value.right, item, room)),
        ),
      }
  }
}

function sum(present: AttributeValue | undefined, value: AttributeValue): AttributeValue {
  if (present === undefined) return value
  if ('N' in value) return { N: addNumbers(numberOf(present), value.N) }
  if ('L' in value) return { L: [...listOf(present), ...value.L] }
  return attributeType(present) === attributeType(value) ? addToSet(present, value) : wrongType()
}

function rest(present: AttributeValue | undefined, value: AttributeValue): AttributeValue | undefined {
  if (present === undefined) return undefined
  return attributeType(present) === attributeType(value) ? removeFromSet(present, value) : wrongType()
}

function numberOf(value: AttributeValue): string {
  return 'N' in value ? value.N : wrongType()
}

function listOf(value: AttributeValue): readonly AttributeValue[] {
  return 'L' in value ? value.L : wrongType()
}

function wrongType(): never {
  throw new ValidationError(
    'update.operand-type',
    'An operand in the update expression has an incorrect data type',
  )
}

function missing(): never {
  throw new ValidationError(
    'update.missing-attribute',
    'The provided expression refers to an attribute that does not exist in the item',
  )
}

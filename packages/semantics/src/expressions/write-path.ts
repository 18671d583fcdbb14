import type { AttributeValue, Item } from '../attribute-value.js'
import { ValidationError } from '../validation-error.js'
import { attributeOf, type DocumentPath, valueAt } from './document-path.js'

/**
 * Writes the value at the path of an item, or removes the value there when none is given. The item itself is changed.
 * The maps and lists in it are replaced by changed copies, because another item may share them. An index past the end
 * of a list appends.
 * @throws ValidationError when the map or list to write into does not exist.
 */
export function writeAt(item: Item, path: DocumentPath, value: AttributeValue | undefined): void {
  const [name] = path
  const attribute = path.length === 1 ? value : descend(attributeOf(item, name), path, 1, value)
  if (attribute === undefined) delete item[name]
  else defineAttribute(item, name, attribute)
}

/** @throws ValidationError when the map or list of the path's last step is missing or of the other kind. */
export function assertPlace(item: Item, path: DocumentPath): void {
  if (path.length === 1) return
  const [name, ...steps] = path
  const last = steps.pop()
  const holder = valueAt(item, [name, ...steps])
  if (holder === undefined || !(typeof last === 'number' ? 'L' in holder : 'M' in holder)) throw noPlace()
}

function descend(
  value: AttributeValue | undefined,
  path: DocumentPath,
  position: number,
  written: AttributeValue | undefined,
): AttributeValue | undefined {
  if (position === path.length) return written
  const step = path[position]
  if (typeof step === 'number' && value !== undefined && 'L' in value) {
    return { L: withElement(value.L, step, descend(value.L[step], path, position + 1, written)) }
  }
  if (typeof step === 'string' && value !== undefined && 'M' in value) {
    return { M: withMember(value.M, step, descend(attributeOf(value.M, step), path, position + 1, written)) }
  }
  throw noPlace()
}

function withMember(map: Item, name: string, value: AttributeValue | undefined): Item {
  const copy = { ...map }
  if (value === undefined) delete copy[name]
  else defineAttribute(copy, name, value)
  return copy
}

function withElement(
  list: readonly AttributeValue[],
  index: number,
  value: AttributeValue | undefined,
): AttributeValue[] {
  if (value === undefined) return list.toSpliced(index, 1)
  return index < list.length ? list.with(index, value) : [...list, value]
}

/**
 * Sets an attribute as the item's own, even one called `__proto__`, which plain assignment would treat as the
 * prototype.
 */
export function defineAttribute(item: Item, name: string, value: AttributeValue): void {
  if (name !== '__proto__') {
    item[name] = value
    return
  }
  Object.defineProperty(item, name, { value, enumerable: true, configurable: true, writable: true })
}

function noPlace(): ValidationError {
  return new ValidationError(
    'update.path',
    'The document path provided in the update expression is invalid for update',
  )
}

import type { AttributeValue, Item } from '../attribute-value.js'
import { ValidationError } from '../validation-error.js'
import { attributeOf, type DocumentPath, valueAt } from './document-path.js'

/** The members of lists and maps that belong to one item alone. */
type Own = WeakSet<object>

/** Writes values into one item, which is changed. */
export class PathWriter {
  readonly #item: Item
  /** An update can have hundreds of paths into one large list, so each list and map is copied once. */
  readonly #own: Own = new WeakSet()

  constructor(item: Item) {
    this.#item = item
  }

  /**
   * Writes the value at the path, or removes the value there when none is given. The maps and lists in the item are replaced by
   * changed copies, because another item may share them. An index past the end of a list appends.
   * @throws ValidationError when the map or list to write into does not exist.
   */
  write(path: DocumentPath, value: AttributeValue | undefined): void {
    const [name] = path
    const attribute =
      path.length === 1 ? value : descend(attributeOf(this.#item, name), path, 1, value, this.#own)
    if (attribute === undefined) delete this.#item[name]
    else defineAttribute(this.#item, name, attribute)
  }
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
  own: Own,
): AttributeValue | undefined {
  if (position === path.length) return written
  const step = path[position]
  if (typeof step === 'number' && value !== undefined && 'L' in value) {
    const element = descend(value.L[step], path, position + 1, written, own)
    const list = own.has(value.L) ? (value.L as AttributeValue[]) : [...value.L]
    if (element === undefined) list.splice(step, 1)
    else list[Math.min(step, list.length)] = element
    own.add(list)
    return { L: list }
  }
  if (typeof step === 'string' && value !== undefined && 'M' in value) {
    const member = descend(attributeOf(value.M, step), path, position + 1, written, own)
    const map = own.has(value.M) ? value.M : { ...value.M }
    if (member === undefined) delete map[step]
    else defineAttribute(map, step, member)
    own.add(map)
    return { M: map }
  }
  throw noPlace()
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

import { isJsonObject } from '../json/json-kind.js'
import { lookedAt } from './check-shape.js'
import type { Shape, StructureShape } from './shape.js'

/**
 * The request without members that are null, which mean the same as missing members. A request without nulls is not
 * copied, and no request is modified, because it may be the caller's own object. Attribute values are not changed,
 * because a null in their place is an error.
 */
export function withoutNulls(shape: Shape, value: unknown): unknown {
  if (shape.type === 'list' && Array.isArray(value)) {
    const isTooLong = lookedAt(shape, value) !== value
    return isTooLong || isKept(shape.of) ? value : mapped(value, (member) => withoutNulls(shape.of, member))
  }
  if (!isJsonObject(value)) return value
  if (shape.type === 'map') {
    if (isKept(shape.of)) return value
    return changed(value, (name) => withoutNulls(shape.of, value[name]))
  }
  return shape.type === 'structure'
    ? changed(value, (name) => memberWithoutNulls(shape, name, value[name]))
    : value
}

/** Whether values of the shape stay unchanged, because they have no members that could be omitted. */
function isKept({ type }: Shape): boolean {
  return type !== 'structure' && type !== 'list' && type !== 'map'
}

function memberWithoutNulls({ members }: StructureShape, name: string, value: unknown): unknown {
  if (value === null) return undefined
  if (typeof value !== 'object' || !Object.hasOwn(members, name)) return value
  const member = members[name]
  return member === undefined ? value : withoutNulls(member, value)
}

function mapped(list: readonly unknown[], change: (member: unknown) => unknown): readonly unknown[] {
  const copy = list.map(change)
  return copy.some((member, index) => member !== list[index]) ? copy : list
}

function changed(
  value: Record<string, unknown>,
  memberOf: (name: string) => unknown,
): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined
  for (const name in value) {
    const member = memberOf(name)
    if (member === value[name]) continue
    copy ??= { ...value }
    if (member === undefined) delete copy[name]
    else copy[name] = member
  }
  return copy ?? value
}

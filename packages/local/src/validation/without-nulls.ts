import { isJsonObject } from '../wire/json-kind.js'
import type { Shape } from './shape.js'

/**
 * The request without members that are null, which mean the same as members that are not there. Nothing is copied
 * where there is none, and nothing is changed: the request may be a caller's own object. Attribute values are left
 * alone, because a null in their place is an error.
 */
export function withoutNulls(shape: Shape, value: unknown): unknown {
  if (shape.type === 'list' && Array.isArray(value))
    return mapped(value, (member) => withoutNulls(shape.of, member))
  if (!isJsonObject(value)) return value
  if (shape.type === 'map') {
    if (shape.of.type !== 'structure' && shape.of.type !== 'list') return value
    return changed(value, (name) => withoutNulls(shape.of, value[name]))
  }
  if (shape.type !== 'structure') return value
  return changed(value, (name) => {
    const member = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined
    return value[name] === null
      ? undefined
      : member === undefined
        ? value[name]
        : withoutNulls(member, value[name])
  })
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

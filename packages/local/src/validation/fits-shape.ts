import { isJsonObject } from '../json/json-kind.js'
import { isConstraintKept, isInRange } from './check-shape.js'
import type { Shape, StructureShape } from './shape.js'

/** Whether a value is valid unchanged: nothing in it is null, of a wrong type, or violates a constraint. */
type Fits = (value: unknown) => boolean

const isAnything: Fits = () => true

/**
 * Builds the test of a shape, once for each shape. Nearly all requests pass it and need no other check. A request that
 * fails is checked again, slowly, to find the service's error text.
 */
export function fitsShape(shape: Shape): Fits {
  switch (shape.type) {
    case 'attribute-value':
      return isAnything
    case 'string':
      return (value) => typeof value === 'string' && isConstraintKept(shape, value)
    case 'boolean':
      return (value) => typeof value === 'boolean'
    case 'integer':
      return (value) => Number.isInteger(value) && isInRange(shape.value, value as number)
    case 'list':
      return fitsList(shape)
    case 'map':
      return fitsMap(shape)
    case 'structure':
      return fitsStructure(shape)
  }
}

function fitsList({ of, length }: Extract<Shape, { type: 'list' }>): Fits {
  const fits = fitsShape(of)
  if (fits === isAnything) return (value) => Array.isArray(value) && isInRange(length, value.length)
  return (value) => {
    if (!Array.isArray(value) || !isInRange(length, value.length)) return false
    for (const member of value) if (!fits(member)) return false
    return true
  }
}

function fitsMap({ of, keys, length, most }: Extract<Shape, { type: 'map' }>): Fits {
  if (of.type === 'attribute-value' && keys === undefined && length === undefined) return isJsonObject
  const fits = fitsShape(of)
  const fitsKey = keys === undefined ? isAnything : fitsShape(keys)
  const max = most?.members ?? Number.POSITIVE_INFINITY
  return (value) => {
    if (!isJsonObject(value)) return false
    let count = 0
    for (const name in value) if (++count > max || !fitsKey(name) || !fits(value[name])) return false
    return isInRange(length, count)
  }
}

/** Loops over the given members instead of the possible ones, because requests have few members of their shape. */
function fitsStructure({ members, unsupported = [] }: StructureShape): Fits {
  const refused = unsupported.map((name) => [name, { fits: () => false, isRequired: false }] as const)
  const known = Object.entries(members).map(
    ([name, shape]) => [name, { fits: fitsShape(shape), isRequired: shape.required === true }] as const,
  )
  const byName = new Map([...refused, ...known])
  const requiredCount = known.filter(([, { isRequired }]) => isRequired).length
  return (value) => {
    if (!isJsonObject(value)) return false
    let given = 0
    for (const name in value) {
      const inner = value[name]
      if (inner === undefined) continue
      if (inner === null) return false
      const member = byName.get(name)
      if (member === undefined) continue
      if (!member.fits(inner)) return false
      if (member.isRequired) given++
    }
    return given === requiredCount
  }
}

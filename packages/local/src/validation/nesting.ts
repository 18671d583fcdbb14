import {
  type AttributeValue,
  attributeOf,
  type BoundUpdate,
  type Item,
  MAX_CONTAINER_DEPTH,
  TOO_NESTED_TEXT,
} from '@isotherm/semantics'
import { type ServiceError, validationException } from '../errors/service-error.js'

export function tooNested(): ServiceError {
  return validationException(
    `${TOO_NESTED_TEXT}: Attributes in the item have nested levels beyond supported limit`,
  )
}

/**
 * Checks that an update has not put a value too deep into another one. Values themselves have been checked already.
 * @throws ServiceError
 */
export function checkNesting({ touched }: BoundUpdate, after: Item): Item {
  // Hundreds of paths can lead into one large attribute.
  const names = new Set<string>()
  for (const path of touched) if (path.length > 1) names.add(path[0])
  for (const name of names) {
    const value = attributeOf(after, name)
    if (value !== undefined && isDeeper(value, MAX_CONTAINER_DEPTH)) throw tooNested()
  }
  return after
}

function isDeeper(value: AttributeValue, levels: number): boolean {
  const members = 'L' in value ? value.L : 'M' in value ? Object.values(value.M) : undefined
  if (members === undefined) return false
  return levels === 0 || members.some((member) => isDeeper(member, levels - 1))
}

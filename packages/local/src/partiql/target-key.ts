import { type BoundCondition, defineAttribute, equalValues, type Item } from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'
import type { KeySchema } from '../table/table-definition.js'
import { keyTestOf } from './key-test.js'

/** The single item that a WHERE clause names: its key, and whether there are other conditions. */
export interface TargetKey {
  readonly key: Item
  readonly hasMore: boolean
}

/**
 * Finds the single item that a WHERE clause names: every key attribute must equal a value, in conditions joined by AND.
 * @returns `undefined` when the key is incomplete.
 * @throws ServiceError when a key attribute has two values, or one of the wrong type.
 */
export function targetKey(
  where: BoundCondition | undefined,
  { hash, range }: KeySchema,
): TargetKey | undefined {
  if (where === undefined) return undefined
  const attributes = [...hash, ...range]
  const key: Item = {}
  let hasMore = false
  for (const conjunct of conjunctsOf(where)) {
    const found = keyTestOf(conjunct, attributes)
    if (found === undefined || found.test.operator !== '=') {
      hasMore = true
      continue
    }
    const { name, test } = found
    const known = key[name]
    if (known !== undefined && !equalValues(known, test.value)) {
      throw validationException(
        `Multiple conditions on same key ${name}. Only single item Update/Insert/Delete are supported`,
      )
    }
    defineAttribute(key, name, test.value)
  }
  return Object.keys(key).length === attributes.length ? { key, hasMore } : undefined
}

function conjunctsOf(condition: BoundCondition): readonly BoundCondition[] {
  return condition.kind === 'and'
    ? [...conjunctsOf(condition.left), ...conjunctsOf(condition.right)]
    : [condition]
}

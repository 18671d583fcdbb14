import type { Item } from '../attribute-value.js'
import type { BoundUpdate } from './bind-update.js'
import { project, projectionOf } from './projection.js'

/**
 * The attributes that UpdateItem returns. Nothing is returned when the update touched no attribute that is there.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateItem.html
 * @param wanted the parameter `ReturnValues`.
 * @param after the item after the update, or `undefined` when the update created none.
 */
export function returnedAttributes(
  wanted: string | undefined,
  { touched }: BoundUpdate,
  before: Item | undefined,
  after: Item | undefined,
): Item | undefined {
  switch (wanted) {
    case 'ALL_NEW':
      return after
    case 'ALL_OLD':
      return before
    case 'UPDATED_NEW':
      return unlessEmpty(project(projectionOf(touched), after ?? {}))
    case 'UPDATED_OLD':
      return unlessEmpty(project(projectionOf(touched), before ?? {}))
    default:
      return undefined
  }
}

function unlessEmpty(attributes: Item): Item | undefined {
  return Object.keys(attributes).length === 0 ? undefined : attributes
}

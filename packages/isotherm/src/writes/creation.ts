import {
  applyUpdate,
  type BoundUpdate,
  bindCondition,
  bindUpdate,
  type Item,
  matches,
  Placeholders,
  parseCondition,
  parseUpdate,
  project,
  projectionOf,
  RETURN_VALUES_TEXT,
} from '@isotherm/semantics'
import type { ItemWrite } from '../sdk/item-write.js'
import { validationException } from '../sdk/validation-exception.js'

/** What a write comes to where there is no item yet. */
export interface Creation {
  /** Whether the application's condition holds. */
  readonly holds: boolean
  /** What the application gets as `Attributes`. */
  readonly attributes: Item | undefined
}

const NO_UPDATE: BoundUpdate = { set: [], remove: [], add: [], delete: [], touched: [] }

/**
 * Whether the write's condition holds of a missing item, and what it returns of the new one.
 * @param key the item's primary key
 * @throws ValidationError in the service's words
 */
export function creationOf(write: ItemWrite, key: Item): Creation {
  const { ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues } = write.input
  const placeholders = new Placeholders(
    ExpressionAttributeNames,
    ExpressionAttributeValues as Item | undefined,
  )
  const condition =
    ConditionExpression === undefined
      ? undefined
      : bindCondition(
          'ConditionExpression',
          parseCondition('ConditionExpression', ConditionExpression),
          placeholders,
        )
  const update = updateOf(write, placeholders)
  placeholders.assertAllUsed()
  const holds = condition === undefined || matches(condition)
  return { holds, attributes: holds ? returned(write, update, key) : undefined }
}

function updateOf(write: ItemWrite, placeholders: Placeholders): BoundUpdate {
  if (write.operation !== 'UpdateItem' || write.input.UpdateExpression === undefined) return NO_UPDATE
  return bindUpdate(parseUpdate(write.input.UpdateExpression), placeholders)
}

function returned({ operation, input }: ItemWrite, update: BoundUpdate, key: Item): Item | undefined {
  const { ReturnValues = 'NONE' } = input
  if (operation !== 'UpdateItem') {
    if (ReturnValues === 'NONE' || ReturnValues === 'ALL_OLD') return undefined
    throw validationException(RETURN_VALUES_TEXT)
  }
  if (ReturnValues !== 'ALL_NEW' && ReturnValues !== 'UPDATED_NEW') return undefined
  const after = applyUpdate(update, key, { isNew: true })
  if (ReturnValues === 'ALL_NEW') return after
  const touched = project(projectionOf(update.touched), after)
  return Object.keys(touched).length === 0 ? undefined : touched
}

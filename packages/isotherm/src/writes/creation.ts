import {
  applyUpdate,
  assertAllUsed,
  type BoundUpdate,
  bindCondition,
  bindUpdate,
  createsItem,
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

/** The result of a write when the item does not exist. */
export interface Creation {
  /** Whether the application's condition is true. */
  readonly holds: boolean
  /** The `Attributes` in the response. */
  readonly attributes: Item | undefined
}

const NO_UPDATE: BoundUpdate = { set: [], remove: [], add: [], delete: [], touched: [] }

/**
 * Evaluates the write's condition for a missing item, and computes what it returns of the new one.
 * @param key the item's primary key
 * @throws ValidationError with the service's text
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
  assertAllUsed(placeholders)
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
  if (!createsItem(update)) return undefined
  const after = applyUpdate(update, key, { isNew: true })
  if (ReturnValues === 'ALL_NEW') return after
  const touched = project(projectionOf(update.touched), after)
  return Object.keys(touched).length === 0 ? undefined : touched
}

import { isJsonObject } from '../../json.js'
import { isError } from '../comparable.js'
import type { Difference, Exception } from '../exception.js'
import { onlyRemoves, removesInside, updatesOf } from '../only-removes.js'
import { all, any, onlyTheyRefuse, texts } from '../predicates.js'

const REFUSED_NESTED_PATH = /^The document path provided in the update expression is invalid for update$/

/** They refuse a path below an attribute that is not there, where we do nothing. In a transaction too. */
const refusesANestedPath = all(onlyTheyRefuse(REFUSED_NESTED_PATH), ({ step }) =>
  updatesOf(step).some(removesInside),
)

/** They check the key of the item that they would create against the limits of an index, and we create none. */
const refusesTheNewItem = all(onlyTheyRefuse(/: Size limit exceeded$/), ({ step }) => onlyRemoves(step))

/** They return the key of the item that they have created, and we return nothing. */
function createsAnItem({ step, ours, theirs }: Difference): boolean {
  const { request } = step
  if (step.operation !== 'UpdateItem' || !onlyRemoves(step) || isError(ours) || isError(theirs)) return false
  if (!('Key' in request && 'ReturnValues' in request && request.ReturnValues === 'ALL_NEW')) return false
  if (!isJsonObject(ours.body) || !isJsonObject(theirs.body) || 'Attributes' in ours.body) return false
  const { Attributes: created, ConsumedCapacity: theirUnits, ...rest } = theirs.body
  // Only they pay for entries in local indexes.
  const { ConsumedCapacity: ourUnits, ...nothing } = ours.body
  return (
    names(created) === names(request.Key) &&
    (ourUnits === undefined) === (theirUnits === undefined) &&
    JSON.stringify(rest) === JSON.stringify(nothing)
  )
}

function names(attributes: unknown): string | undefined {
  return isJsonObject(attributes) ? Object.keys(attributes).sort().join() : undefined
}

/** Updates of items that do not exist. */
export const UPDATES_THAT_ONLY_REMOVE: readonly Exception[] = [
  {
    name: 'update-that-only-removes',
    reason:
      'DynamoDB Local creates an item for an update that only removes, and refuses a nested path there, and a key that is too long for an index. The service does nothing.',
    source:
      'Measured: https://github.com/scylladb/scylladb (test/alternator/test_update_expression.py); for the legacy form, https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.AttributeUpdates.html (DELETE).',
    applies: any(refusesANestedPath, refusesTheNewItem, createsAnItem),
  },
  {
    name: 'remove-inside-a-new-item',
    reason:
      'DynamoDB Local refuses REMOVE of a nested path where there is no item yet. When the update sets something too, the service creates the item and removes nothing.',
    source: 'Measured by public test-suites that pass on the service.',
    applies: all(
      // The item that the service would create can be refused, too, and then for another reason.
      any(
        onlyTheyRefuse(REFUSED_NESTED_PATH),
        texts(/Aggregated size of all range keys has exceeded/, REFUSED_NESTED_PATH),
      ),
      ({ step }) => /"UpdateExpression":"[^"]*\bREMOVE\b/i.test(JSON.stringify(step.request)),
    ),
  },
]

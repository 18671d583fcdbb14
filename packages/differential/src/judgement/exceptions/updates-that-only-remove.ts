import { isJsonObject } from '../../json.js'
import { isError } from '../comparable.js'
import type { Exception } from '../exception.js'
import { onlyRemoves } from '../only-removes.js'
import { all, onlyTheyRefuse } from '../predicates.js'

/** Updates of items that do not exist. */
export const UPDATES_THAT_ONLY_REMOVE: readonly Exception[] = [
  {
    name: 'update-that-only-removes',
    reason:
      'DynamoDB Local creates an item for an update that only removes, and refuses a nested path there. The service does nothing.',
    source:
      'Measured: https://github.com/scylladb/scylladb (test/alternator/test_update_expression.py); for the legacy form, https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.AttributeUpdates.html (DELETE).',
    applies: ({ step, ours, theirs }) => {
      if (!onlyRemoves(step) || isError(ours) || !isJsonObject(ours.body)) return false
      if (isError(theirs)) return /invalid for update|reasons \[.*ValidationError/.test(theirs.message)
      if (!isJsonObject(theirs.body) || !('Key' in step.request)) return false
      const { Attributes: created, ConsumedCapacity: _theirs, ...rest } = theirs.body
      const { ConsumedCapacity: _ours, ...nothing } = ours.body
      return (
        !('Attributes' in nothing) &&
        isJsonObject(created) &&
        Object.keys(created).length === Object.keys(step.request.Key as object).length &&
        JSON.stringify(rest) === JSON.stringify(nothing)
      )
    },
  },
  {
    name: 'remove-inside-a-new-item',
    reason:
      'DynamoDB Local refuses REMOVE of a nested path where there is no item yet. When the update sets something too, the service creates the item and removes nothing.',
    source: 'Measured by public test-suites that pass on the service.',
    applies: all(
      onlyTheyRefuse(/^The document path provided in the update expression is invalid for update$/),
      ({ step }) => /"UpdateExpression":"[^"]*\bREMOVE\b/i.test(JSON.stringify(step.request)),
    ),
  },
]

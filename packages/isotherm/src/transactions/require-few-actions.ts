import { actionCountText, MAX_TRANSACTION_ACTIONS } from '@isotherm/semantics'
import { IsothermError } from '../errors/isotherm-error.js'
import { validationException } from '../sdk/validation-exception.js'

/**
 * @param members the number of members in the request
 * @param actions the number of actions after rewriting
 * @param waitedMilliseconds how long the request has waited for fewer actions
 * @throws a `ValidationException` with the service's text for too many members; IsothermError `transaction.too-large`
 */
export function requireFewActions(
  operation: string,
  members: number,
  actions: number,
  waitedMilliseconds = 0,
): void {
  if (members > MAX_TRANSACTION_ACTIONS) {
    throw validationException(actionCountText())
  }
  if (actions <= MAX_TRANSACTION_ACTIONS) return
  throw new IsothermError(
    'transaction.too-large',
    `${operation} with ${members} members takes ${actions} actions on the shards of its items; DynamoDB takes ${MAX_TRANSACTION_ACTIONS} at once. ` +
      (waitedMilliseconds > 0
        ? `The shard count of a key is changing, and a creation takes two actions in the first phases of a change. It has waited ${waitedMilliseconds / 1_000} s for their end. Send it again, or split it.`
        : 'Split it, or use a calculated suffix, where an item has one place while the count does not change.'),
    { operation, members, actions, maxActions: MAX_TRANSACTION_ACTIONS, waitedMilliseconds },
  )
}

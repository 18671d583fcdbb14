import type { BoundUpdate } from './bind-update.js'

/**
 * Whether the update creates an item that does not exist yet. An update that only removes does nothing then, even below
 * a missing attribute. An update without any action creates an item of its key attributes alone.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.AttributeUpdates.html
 * (DELETE of an item that does not exist: nothing happens); for expressions, measured by the authors of ScyllaDB's
 * test_update_expression.py.
 * @example
 * const onlyRemoves = bindUpdate(parseUpdate('REMOVE visits'), new Placeholders())
 * createsItem(onlyRemoves) // false
 */
export function createsItem({ set, remove, add, delete: taken }: BoundUpdate): boolean {
  return set.length + add.length > 0 || remove.length + taken.length === 0
}

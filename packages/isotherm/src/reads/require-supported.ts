import type { IsothermError } from '../errors/isotherm-error.js'
import { refuseParameter } from '../errors/refuse.js'
import type { KeyedTable } from '../keys/keyed-table.js'
import { MOVE_ATTRIBUTES } from '../protocol/index.js'
import { attributesOf, type ItemWrite } from '../sdk/item-write.js'
import { mentions } from '../sdk/placeholders.js'

/** The legacy parameters of single items, and the expressions that replace them. */
export const LEGACY_OF_ITEMS = {
  Expected: 'Condition',
  ConditionalOperator: 'Condition',
  AttributeUpdates: 'Update',
  AttributesToGet: 'Projection',
}

const OWN_ATTRIBUTES = Object.values<string>(MOVE_ATTRIBUTES)

/**
 * Rejects writes to the library's own attributes of items, and conditions on them.
 * @throws IsothermError `command.parameter-unsupported`
 */
export function refuseOwnAttributes(table: KeyedTable, write: ItemWrite): void {
  refuseOwnMembers(table, write.operation, attributesOf(write) ?? {})
  const { ConditionExpression, ExpressionAttributeNames } = write.input
  const update = write.operation === 'UpdateItem' ? write.input.UpdateExpression : undefined
  if (ConditionExpression === undefined && update === undefined) return
  const texts = [ConditionExpression, update].filter((text) => text !== undefined)
  for (const own of OWN_ATTRIBUTES) {
    if (texts.some((text) => mentions(text, ExpressionAttributeNames, own))) {
      throw ownAttribute(table, write.operation, own)
    }
  }
}

/**
 * The same check for the attributes of an item only.
 * @throws IsothermError `command.parameter-unsupported`
 */
export function refuseOwnMembers(table: KeyedTable, operation: string, attributes: object): void {
  for (const own of OWN_ATTRIBUTES)
    if (Object.hasOwn(attributes, own)) throw ownAttribute(table, operation, own)
}

function ownAttribute(table: KeyedTable, operation: string, own: string): IsothermError {
  return refuseParameter(
    table.options.name,
    operation,
    `the attribute ${own}`,
    'The library keeps it for itself while an item is moved. Give yours another name.',
  )
}

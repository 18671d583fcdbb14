import {
  type AttributeValue,
  applyUpdate,
  assertAllUsed,
  type BoundUpdate,
  bindCondition,
  bindUpdate,
  canonicalNumber,
  createsItem,
  type Item,
  matches,
  orderedBinaries,
  orderedNumbers,
  orderedStrings,
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

/** A value by its type. As in the SDK, members that are undefined are none. */
interface AnyValue {
  readonly N?: string
  readonly NS?: readonly string[]
  readonly SS?: readonly string[]
  readonly BS?: readonly Uint8Array[]
  readonly L?: readonly AttributeValue[]
  readonly M?: Item
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
  const after = storedMembers(applyUpdate(update, key, { isNew: true }))
  if (ReturnValues === 'ALL_NEW') return after
  const touched = project(projectionOf(update.touched), after)
  return Object.keys(touched).length === 0 ? undefined : touched
}

/** The members as the service stores and returns them: it writes a number in one way, and orders the members of a set. */
function storedMembers(members: Item): Item {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, stored(value)]))
}

function stored(value: AttributeValue): AttributeValue {
  const { N, NS, SS, BS, L, M } = value as AnyValue
  if (N !== undefined) return { N: canonicalNumber(N) }
  if (NS !== undefined) return { NS: orderedNumbers(NS.map(canonicalNumber)) }
  if (SS !== undefined) return { SS: orderedStrings([...SS]) }
  if (BS !== undefined) return { BS: orderedBinaries([...BS]) }
  if (L !== undefined) return { L: L.map(stored) }
  return M === undefined ? value : { M: storedMembers(M) }
}

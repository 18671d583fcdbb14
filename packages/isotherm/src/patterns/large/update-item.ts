import { UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { type Item, itemBytes } from '@isotherm/semantics'
import { IsothermError } from '../../errors/isotherm-error.js'
import { invalidOption } from '../../options/check.js'
import { type Condition, joinedCondition } from '../conditions/condition.js'
import type { Sender } from '../sending/pattern-client.js'
import type { ParsedLargeOptions } from './large-options.js'
import { requireUnreserved } from './require-unreserved.js'
import { MARK } from './stored-attribute.js'

export interface Update {
  readonly key: Item
  readonly set: Item
  readonly remove: readonly string[]
  readonly condition: Condition | undefined
  readonly signal: AbortSignal | undefined
}

/**
 * Sets and removes attributes that are stored in the item, on the condition that none of them is in pieces.
 *
 * @throws ConditionalCheckFailedException of the SDK if the application's condition fails
 * @throws IsothermError `large.in-pieces` if an attribute of the update is in pieces, `large.reserved` for a stand-in
 */
export async function updateItem(
  db: Sender,
  options: ParsedLargeOptions,
  { key, set, remove, condition, signal }: Update,
): Promise<void> {
  const { table, keys, maxInlineBytes } = options
  const attributes = [...Object.keys(set), ...remove]
  requireChangeable(attributes, keys)
  requireUnreserved(set, options)
  if (itemBytes(set) > maxInlineBytes) throw inPieces(table, Object.keys(set))
  const names = Object.fromEntries(attributes.map((name, index) => [`#isotherm_a${index}`, name]))
  const setters = Object.keys(set).map((_, index) => `#isotherm_a${index} = :isotherm_v${index}`)
  const removed = remove.map((_, index) => `#isotherm_a${setters.length + index}`)
  const values = Object.fromEntries(Object.values(set).map((value, index) => [`:isotherm_v${index}`, value]))
  const command = new UpdateItemCommand({
    TableName: table,
    Key: key,
    UpdateExpression: [
      ...(setters.length > 0 ? [`SET ${setters.join(', ')}`] : []),
      ...(removed.length > 0 ? [`REMOVE ${removed.join(', ')}`] : []),
    ].join(' '),
    ...joinedCondition('large: the condition', condition, {
      expression: Object.keys(names)
        .map((placeholder) => `attribute_not_exists(${placeholder}.#isotherm_mark.#isotherm_content)`)
        .join(' AND '),
      names: { ...names, '#isotherm_mark': MARK, '#isotherm_content': 'content' },
      values,
    }),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  })
  try {
    await db.send(command, signal && { abortSignal: signal })
  } catch (error) {
    const { Item: found } = error as { readonly Item?: Item }
    const inTheWay = attributes.filter((name) => isInPieces(found, name))
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException' && inTheWay.length > 0)
      throw inPieces(table, inTheWay)
    throw error
  }
}

function isInPieces(item: Item | undefined, name: string): boolean {
  const value = item?.[name]
  const mark = value !== undefined && 'M' in value ? value.M[MARK] : undefined
  return mark !== undefined && 'M' in mark && mark.M.content !== undefined
}

function requireChangeable(attributes: readonly string[], keys: readonly string[]): void {
  if (attributes.length === 0)
    throw invalidOption('large: the update', {}, 'one that sets or removes something')
  for (const [index, name] of attributes.entries()) {
    const isOnce = attributes.indexOf(name) === index
    if (isOnce && !keys.includes(name) && name !== MARK) continue
    const rule = `an attribute that is named once and is neither of the key nor ${MARK}`
    throw invalidOption('large: an attribute of the update', name, rule)
  }
}

function inPieces(table: string, attributes: readonly string[]): IsothermError<'large.in-pieces'> {
  return new IsothermError(
    'large.in-pieces',
    `An update of an item in ${table} touches ${attributes.join(', ')}, which is stored in pieces or would have to be. Write the item with put().`,
    { table, attributes },
  )
}

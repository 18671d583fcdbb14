import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb'
import type { Item } from '@isotherm/semantics'
import { MOVE_ATTRIBUTES } from '../protocol/index.js'
import { keyNames } from '../reads/read-sources.js'
import { type Expressions, freePlaceholder } from '../sdk/placeholders.js'
import { inServiceWords } from '../sdk/validation-exception.js'
import { logicalCondition } from '../writes/logical-condition.js'
import { guarded, isWhole } from '../writes/write-condition.js'
import { type Action, attributesOf, type ShardedMember, type TransactMember } from './transact-member.js'

/**
 * The assumption under which an action was placed: its item is there, it exists nowhere, or neither, because the item
 * can only be in this one shard.
 */
export type Expectation = 'there' | 'missing' | 'either'

/** One action in the form sent to the service. */
export interface PlacedAction {
  readonly member: TransactMember
  /** `added` actions come from the library, and are hidden from the application. */
  readonly role: 'own' | 'added'
  readonly expects: Expectation
  readonly shard: number
  readonly request: TransactWriteItem
}

const ABSENT_NAME = '#isotherm_absent'

/**
 * The action of a member, in a shard of its item.
 * @param moved the mark of the move that brought the item there. A put preserves it, because a process that is reading
 * a page needs it.
 */
export function ownAction(
  member: ShardedMember,
  shard: number,
  expects: Expectation,
  moved?: AttributeValue,
): PlacedAction {
  const { kind, action, table } = member
  const { options } = table
  const physical = physicalAttributes(member, shard)
  const texts = inServiceWords(() => logicalCondition(expressionsOf(action), subjectOf(member)))
  // mark: transaction-guards-its-item
  const guards = { exists: expects === 'there', unmoved: kind !== 'ConditionCheck' && options.itemsMayMove }
  const placed = guarded(texts, options.partitionKey, guards)
  const all = expects === 'missing' ? absent(placed, options.partitionKey) : placed
  const isGuarded = expects !== 'either' || guards.unmoved
  const request = {
    ...action,
    ...all,
    ...(action.Item === undefined
      ? { Key: physical }
      : { Item: moved === undefined ? physical : { ...physical, [MOVE_ATTRIBUTES.moved]: moved } }),
    // The old item shows whose condition failed.
    ...(isGuarded ? { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } : {}),
  }
  return { member, role: 'own', expects, shard, request: { [kind]: request } }
}

/** A check that the item is not in another of its possible shards. */
export function absenceCheck(member: ShardedMember, shard: number): PlacedAction {
  const { action, table } = member
  const check = {
    TableName: action.TableName,
    Key: physicalKey(member, shard),
    ...absent({}, table.options.partitionKey),
  }
  return {
    member,
    role: 'added',
    expects: 'missing',
    shard,
    request: { ConditionCheck: check as TransactWriteItem['ConditionCheck'] },
  }
}

/** Deletes another copy of an item that the application has put twice, even if that copy is being moved. */
export function copyDeletion(member: ShardedMember, shard: number): PlacedAction {
  const { action, table } = member
  const request = {
    Delete: {
      TableName: action.TableName,
      Key: physicalKey(member, shard),
      ...guarded({}, table.options.partitionKey, { exists: true, unmoved: false }),
    },
  }
  return { member, role: 'added', expects: 'either', shard, request }
}

/** A member that is sent unchanged. */
export function plainAction(member: TransactMember & { readonly kind: 'plain' }): PlacedAction {
  return { member, role: 'own', expects: 'either', shard: 0, request: member.given }
}

function expressionsOf(action: Action): Expressions {
  const { ConditionExpression, UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues } =
    action
  return { ConditionExpression, UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues }
}

function subjectOf(member: ShardedMember) {
  const { name, partitionKey } = member.table.options
  return {
    table: name,
    operation: 'TransactWriteItems',
    partitionKey,
    key: keyOf(member) as unknown as Item,
  }
}

function keyOf({ action, table }: ShardedMember): Action['Key'] {
  const attributes = attributesOf(action)
  const names = keyNames(table)
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => names.includes(name)))
}

function physicalAttributes({ action, table, itemKey }: ShardedMember, shard: number) {
  return {
    ...attributesOf(action),
    [table.options.partitionKey]: { ...table.suffix.add(itemKey.logical, shard) },
  }
}

function physicalKey(member: ShardedMember, shard: number) {
  const { table, itemKey } = member
  return { ...keyOf(member), [table.options.partitionKey]: { ...table.suffix.add(itemKey.logical, shard) } }
}

function absent(texts: Expressions, partitionKey: string): Expressions {
  const placeholder = freePlaceholder(ABSENT_NAME, texts.ExpressionAttributeNames)
  const condition = `attribute_not_exists(${placeholder})`
  const { ConditionExpression: before, ExpressionAttributeNames: names } = texts
  if (before !== undefined && !isWhole(before)) return texts
  return {
    ...texts,
    ConditionExpression: before === undefined ? condition : `${condition} AND (${before})`,
    ExpressionAttributeNames: { ...names, [placeholder]: partitionKey },
  }
}

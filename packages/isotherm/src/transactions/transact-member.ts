import type {
  AttributeValue,
  ReturnValuesOnConditionCheckFailure,
  TransactWriteItem,
} from '@aws-sdk/client-dynamodb'
import { SAME_ITEM_TEXT, TRANSACTIONAL_PRICE } from '@isotherm/semantics'
import { type ItemKey, readItemKey } from '../keys/item-key.js'
import { itemName } from '../keys/item-name.js'
import { keyNames } from '../reads/read-sources.js'
import { refuseOwnAttributes } from '../reads/require-supported.js'
import type { ItemWrite } from '../sdk/item-write.js'
import type { Expressions } from '../sdk/placeholders.js'
import type { TablesByName } from '../sdk/tables-by-name.js'
import { inServiceWords, validationException } from '../sdk/validation-exception.js'
import { writeUnitsOf } from '../writes/item-units.js'
import { requireKeyUnread, updateNaming } from '../writes/require-key-unread.js'
import type { WrittenTable } from '../writes/written-table.js'

type ActionKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck'

/** One action of a transaction, with the members of all four kinds: a put has an item, the others have a key. */
export interface Action extends Expressions {
  readonly TableName: string
  readonly Item?: Record<string, AttributeValue>
  readonly Key?: Record<string, AttributeValue>
  readonly ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure
}

/** A member of the request for an unsharded table. */
interface PlainMember {
  readonly kind: 'plain'
  readonly given: TransactWriteItem
}

/** A member of the request for a sharded table. */
export interface ShardedMember {
  readonly kind: ActionKind
  readonly action: Action
  readonly table: WrittenTable
  readonly itemKey: ItemKey
  /** What it consumes, as far as the request shows it. */
  readonly units: number
}

export type TransactMember = PlainMember | ShardedMember

const KINDS: readonly ActionKind[] = ['Put', 'Update', 'Delete', 'ConditionCheck']

/** @throws IsothermError `key.*`; a `ValidationException` with the service's text for two members on one item */
export function readMembers(
  tables: TablesByName<WrittenTable>,
  given: readonly TransactWriteItem[],
): readonly TransactMember[] {
  const members = given.map((member) => readMember(tables, member))
  const sharded = members.filter(isSharded)
  const names = sharded.map(
    ({ table, action }) => `${table.options.name}/${itemName(keyNames(table), attributesOf(action))}`,
  )
  if (new Set(names).size < names.length) {
    throw validationException(SAME_ITEM_TEXT)
  }
  return members
}

export function isSharded(member: TransactMember): member is ShardedMember {
  return member.kind !== 'plain'
}

/** The item of a put, or the key of another action. */
export function attributesOf({ Item, Key }: Action): Record<string, AttributeValue> {
  return Item ?? Key ?? {}
}

/** The service rejects a member that is not exactly one action. */
function readMember(tables: TablesByName<WrittenTable>, given: TransactWriteItem): TransactMember {
  const [kind, ...others] = KINDS.filter((name) => given[name] !== undefined)
  const action = kind === undefined ? undefined : (given[kind] as Action | undefined)
  const table = tables.of(action?.TableName)
  if (kind === undefined || action === undefined || table === undefined || others.length > 0) {
    return { kind: 'plain', given }
  }
  const write = writeOf(kind, action)
  refuseOwnAttributes(table, write)
  const itemKey = inServiceWords(() => {
    requireKeyUnread(table.options, write.operation, updateNaming([table.options.partitionKey], write))
    return readItemKey(table.options, attributesOf(action))
  })
  if (kind === 'Put' || kind === 'Update') table.suffix.requireRoom(itemKey.logical)
  return { kind, action, table, itemKey, units: TRANSACTIONAL_PRICE * writeUnitsOf(write) }
}

/** The action as a single write, so that its expressions and attributes are checked in the same way. */
function writeOf(kind: ActionKind, action: Action): ItemWrite {
  return kind === 'Put'
    ? { operation: 'PutItem', input: { ...action, Item: action.Item } }
    : { operation: 'UpdateItem', input: { ...action, Key: action.Key } }
}

import type { WriteRequest } from '@aws-sdk/client-dynamodb'
import { DUPLICATE_KEYS_TEXT, NO_DATATYPE_TEXT, SEVERAL_DATATYPES_TEXT } from '@isotherm/semantics'
import type { Key } from '../attempts/read-many.js'
import { type ItemKey, readItemKey } from '../keys/item-key.js'
import { itemName } from '../keys/item-name.js'
import { keyNames } from '../reads/read-sources.js'
import { refuseOwnAttributes } from '../reads/require-supported.js'
import type { TablesByName } from '../sdk/tables-by-name.js'
import { inServiceWords, validationException } from '../sdk/validation-exception.js'
import type { WrittenTable } from '../writes/written-table.js'

/** One member of a batch, as in the request. */
export interface WriteMember {
  /** The table's name or ARN, as in the request. */
  readonly tableName: string
  readonly given: WriteRequest
}

/** A member of a sharded table. */
export interface ShardedWriteMember extends WriteMember {
  readonly table: WrittenTable
  readonly itemKey: ItemKey
}

/** The members to send in one request, as far as each has one place, and those to write singly. */
export interface BatchWritePlan {
  readonly together: readonly (WriteMember | ShardedWriteMember)[]
  readonly singly: readonly ShardedWriteMember[]
}

/** @throws IsothermError `key.*`; a `ValidationException` with the service's text for two members on one item */
export function planBatch(
  tables: TablesByName<WrittenTable>,
  parts: Readonly<Record<string, readonly WriteRequest[]>>,
): BatchWritePlan {
  const together: (WriteMember | ShardedWriteMember)[] = []
  const singly: ShardedWriteMember[] = []
  const names = new Set<string>()
  for (const [tableName, requests] of Object.entries(parts)) {
    const table = tables.of(tableName)
    for (const given of requests) {
      if (table === undefined) {
        together.push({ tableName, given })
        continue
      }
      const member = shardedMember(table, tableName, given)
      requireOnce(names, table, attributesOf(given))
      if (needsItsOwnRequest(member)) singly.push(member)
      else together.push(member)
    }
  }
  return { together, singly }
}

export function isSharded(member: WriteMember | ShardedWriteMember): member is ShardedWriteMember {
  return 'table' in member
}

/** The item of a put, or the key of a delete. */
export function attributesOf({ PutRequest, DeleteRequest }: WriteRequest): Key {
  return PutRequest?.Item ?? DeleteRequest?.Key ?? {}
}

/** Whether the member must be written singly: a delete with a random suffix must find its item. */
function needsItsOwnRequest({ table, given }: ShardedWriteMember): boolean {
  return table.placementKind === 'random' && given.DeleteRequest !== undefined
}

function shardedMember(table: WrittenTable, tableName: string, given: WriteRequest): ShardedWriteMember {
  const { PutRequest, DeleteRequest } = given
  if ((PutRequest === undefined) === (DeleteRequest === undefined)) {
    throw validationException(PutRequest === undefined ? NO_DATATYPE_TEXT : SEVERAL_DATATYPES_TEXT)
  }
  if (PutRequest !== undefined) {
    refuseOwnAttributes(table, {
      operation: 'PutItem',
      input: { TableName: tableName, Item: PutRequest.Item },
    })
  }
  const itemKey = inServiceWords(() => readItemKey(table.options, attributesOf(given)))
  if (PutRequest !== undefined) table.suffix.requireRoom(itemKey.logical)
  return { table, tableName, given, itemKey }
}

/** Two spellings of one number are one key here, unlike in BatchGetItem. */
function requireOnce(names: Set<string>, table: WrittenTable, attributes: Key): void {
  const name = `${table.options.name}/${itemName(keyNames(table), attributes)}`
  if (names.has(name)) throw validationException(DUPLICATE_KEYS_TEXT)
  names.add(name)
}

import {
  itemBytes,
  MAX_TRANSACTION_BYTES,
  NO_ACTION_TEXT,
  type Placeholders,
  payloadSizeText,
} from '@isotherm/semantics'
import { validationException } from '../errors/service-error.js'
import { afterwards } from '../storage/afterwards.js'
import { requestToken } from '../transaction/request-token.js'
import type { WriteAction } from '../transaction/transaction-action.js'
import type { TransactionWritten } from '../transaction/transactions.js'
import { decodeGivenKey, decodeItem } from '../validation/decode-item.js'
import {
  CLIENT_REQUEST_TOKEN,
  EXPRESSION,
  ITEM,
  NAMES,
  RETURN_COLLECTION_METRICS,
  RETURN_CONSUMED_CAPACITY,
  RETURN_ON_FAILURE,
  TABLE,
  transactionList,
} from '../validation/members.js'
import { measuredBytes } from '../validation/stored-item.js'
import { checkUpdateCharge } from '../validation/update-charge.js'
import { arrangedTransaction } from '../validation/write-violations.js'
import type { ReturnConsumedCapacity } from './consumed-capacity.js'
import { boundCondition, boundUpdate, type ExpressionInput, placeholdersOf } from './expressions.js'
import {
  type ItemCollectionMetrics,
  itemCollectionMetrics,
  type ReturnItemCollectionMetrics,
} from './item-collection-metrics.js'
import { defineOperation, tableOf } from './operation.js'
import {
  type ActionCheck,
  conditionCheckAction,
  deleteAction,
  putAction,
  updateAction,
} from './transaction-actions.js'
import { transactionCapacity } from './transaction-capacity.js'

interface ActionInput extends ExpressionInput {
  readonly TableName: string
  readonly ConditionExpression?: string
  readonly ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE'
}

interface TransactWriteItem {
  readonly ConditionCheck?: ActionInput & { readonly Key: unknown }
  readonly Put?: ActionInput & { readonly Item: unknown }
  readonly Delete?: ActionInput & { readonly Key: unknown }
  readonly Update?: ActionInput & { readonly Key: unknown; readonly UpdateExpression: string }
}

interface TransactWriteItemsInput {
  readonly TransactItems: readonly TransactWriteItem[]
  readonly ClientRequestToken?: string
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
  readonly ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics
}

/** A decoded action whose table has not been looked up yet. */
interface DecodedAction {
  readonly tableName: string
  readonly payloadBytes: number
  on(table: WriteAction['table']): WriteAction
}

const ACTION_MEMBERS = {
  TableName: { ...TABLE, required: true },
  ConditionExpression: EXPRESSION,
  ExpressionAttributeNames: NAMES,
  ExpressionAttributeValues: ITEM,
  ReturnValuesOnConditionCheckFailure: RETURN_ON_FAILURE,
} as const
const KEY = { ...ITEM, required: true } as const
const REQUIRED_EXPRESSION = { ...EXPRESSION, required: true } as const

export const transactWriteItems = defineOperation<TransactWriteItemsInput>(
  {
    type: 'structure',
    members: {
      TransactItems: transactionList({
        ConditionCheck: {
          type: 'structure',
          members: { ...ACTION_MEMBERS, Key: KEY, ConditionExpression: REQUIRED_EXPRESSION },
        },
        Put: { type: 'structure', members: { ...ACTION_MEMBERS, Item: KEY } },
        Delete: { type: 'structure', members: { ...ACTION_MEMBERS, Key: KEY } },
        Update: {
          type: 'structure',
          members: { ...ACTION_MEMBERS, Key: KEY, UpdateExpression: REQUIRED_EXPRESSION },
        },
      }),
      ClientRequestToken: CLIENT_REQUEST_TOKEN,
      ReturnConsumedCapacity: RETURN_CONSUMED_CAPACITY,
      ReturnItemCollectionMetrics: RETURN_COLLECTION_METRICS,
    },
    arranged: arrangedTransaction,
  },
  (input, context) => {
    const decoded = decodeActions(input)
    const tableNames = decoded.map(({ tableName }) => tableName)
    const actions = decoded.map(({ tableName, on }) => on(tableOf(context, tableName)))
    const token = requestToken(input.ClientRequestToken, input.TransactItems)
    const answer = (done: TransactionWritten) => ({
      ...transactionCapacity(input.ReturnConsumedCapacity, tableNames, done),
      ...collectionMetrics(input, tableNames, actions, done),
    })
    return afterwards(context.transactions.write({ region: context.region, actions, token }), answer)
  },
)

/**
 * Decodes all actions, and reports all mistakes that can be found without the tables.
 * @throws ServiceError or ValidationError
 */
function decodeActions({ TransactItems }: TransactWriteItemsInput): readonly DecodedAction[] {
  const decoded = TransactItems.map(decodeAction)
  let payload = 0
  for (const { payloadBytes } of decoded) {
    payload += payloadBytes
    if (payload > MAX_TRANSACTION_BYTES) {
      throw validationException(payloadSizeText(payload))
    }
  }
  return decoded
}

function decodeAction(item: TransactWriteItem): DecodedAction {
  const { ConditionCheck, Put, Delete, Update } = item
  let given = 0
  for (const each of [ConditionCheck, Put, Delete, Update]) if (each !== undefined) given++
  if (given > 1) {
    throw validationException('TransactItems can only contain one of Check, Put, Update or Delete')
  }
  if (Put !== undefined) {
    const item = decodeItem(Put.Item)
    const { check, placeholders } = checkOf(Put)
    const bytes = measuredBytes(item)
    return decodedAction(Put, bytes, placeholders, (table) => putAction(table, item, bytes, check))
  }
  if (Update !== undefined) return decodeUpdate(Update)
  if (Delete !== undefined) {
    const { check, placeholders } = checkOf(Delete)
    const key = decodeGivenKey(Delete.Key)
    return decodedAction(Delete, itemBytes(key), placeholders, (table) => deleteAction(table, key, check))
  }
  if (ConditionCheck !== undefined) {
    const key = decodeGivenKey(ConditionCheck.Key)
    const { check, placeholders } = checkOf(ConditionCheck)
    return decodedAction(ConditionCheck, itemBytes(key), placeholders, (table) =>
      conditionCheckAction(table, key, check),
    )
  }
  throw validationException(NO_ACTION_TEXT)
}

function decodeUpdate(input: NonNullable<TransactWriteItem['Update']>): DecodedAction {
  const { UpdateExpression, ConditionExpression } = input
  const placeholders = placeholdersOf(input, { UpdateExpression, ConditionExpression })
  const update = boundUpdate(UpdateExpression, placeholders)
  const condition = boundCondition('ConditionExpression', ConditionExpression, placeholders)
  placeholders.assertAllUsed()
  const key = decodeGivenKey(input.Key)
  checkUpdateCharge(update)
  const check = { condition, returnsOld: returnsOld(input) }
  return decodedAction(input, itemBytes(key), placeholders, (table) =>
    updateAction(table, key, update, check),
  )
}

function collectionMetrics(
  { ReturnItemCollectionMetrics: wanted }: TransactWriteItemsInput,
  tableNames: readonly string[],
  actions: readonly WriteAction[],
  { writes }: TransactionWritten,
): { ItemCollectionMetrics?: { [tableName: string]: readonly ItemCollectionMetrics[] } } {
  if (wanted !== 'SIZE') return {}
  const metrics = new Map<string, ItemCollectionMetrics[]>()
  for (const [at, { table }] of actions.entries()) {
    const [write, tableName = ''] = [writes[at], tableNames[at]]
    const collection = write === undefined ? undefined : itemCollectionMetrics(table, wanted, write)
    if (collection === undefined) continue
    metrics.set(tableName, [...(metrics.get(tableName) ?? []), collection])
  }
  return metrics.size > 0 ? { ItemCollectionMetrics: Object.fromEntries(metrics) } : {}
}

function checkOf(input: ActionInput): { check: ActionCheck; placeholders: Placeholders } {
  const { ConditionExpression } = input
  const placeholders = placeholdersOf(input, { ConditionExpression })
  const condition = boundCondition('ConditionExpression', ConditionExpression, placeholders)
  placeholders.assertAllUsed()
  return { check: { condition, returnsOld: returnsOld(input) }, placeholders }
}

function returnsOld(input: ActionInput): boolean {
  return input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD'
}

/** Only the request counts towards the payload, not existing items: deleting 5 MB is a small transaction. */
function decodedAction(
  { TableName: tableName }: ActionInput,
  bytes: number,
  { values }: Placeholders,
  on: DecodedAction['on'],
): DecodedAction {
  return { tableName, payloadBytes: bytes + measuredBytes(values), on }
}

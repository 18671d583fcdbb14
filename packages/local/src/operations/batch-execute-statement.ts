import {
  DUPLICATE_KEYS_TEXT,
  type Item,
  keylessSelectText,
  MISPLACED_EXISTS_TEXT,
  selectItem,
} from '@isotherm/semantics'
import { type ServiceError, validationException } from '../errors/service-error.js'
import { runWrite } from '../partiql/run-write.js'
import { type SingleRead, singleRead } from '../partiql/single-read.js'
import {
  type ReadyStatement,
  readStatement,
  STATEMENT_MEMBERS,
  type StatementInput,
} from '../partiql/statement.js'
import { type StatementAction, statementAction } from '../partiql/statement-action.js'
import type { StoredItem } from '../storage/ordered-map.js'
import { nowAndOverTurns } from '../storage/over-turns.js'
import { DECODED_BYTES_PER_TURN } from '../table/decoded-in-steps.js'
import { ItemLocked } from '../table/item-locks.js'
import { tableUnits } from '../table/item-write.js'
import { isFromDisk } from '../table/printed-item.js'
import { TableGone } from '../table/table-gone.js'
import { RETURN_CONSUMED_CAPACITY, RETURN_ON_FAILURE } from '../validation/members.js'
import { BatchUnits, type ReturnConsumedCapacity } from './consumed-capacity.js'
import { defineOperation, noteConflict, type OperationContext, tableOf } from './operation.js'
import { serviceErrorOf } from './service-error-of.js'

interface BatchedStatement extends StatementInput {
  readonly ConsistentRead?: boolean
  readonly ReturnValuesOnConditionCheckFailure?: string
}

interface BatchExecuteStatementInput {
  readonly Statements: readonly BatchedStatement[]
  readonly ReturnConsumedCapacity?: ReturnConsumedCapacity
}

/** Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchExecuteStatement.html */
const MAX_STATEMENTS = 25

/** One statement of a batch, resolved, or the reason why it could not be. */
type BatchMember =
  | { readonly kind: 'read'; readonly read: SingleRead; readonly request: BatchedStatement }
  | { readonly kind: 'write'; readonly action: StatementAction; readonly request: BatchedStatement }
  | { readonly kind: 'failed'; readonly is: 'read' | 'write' | 'unknown'; readonly error: ServiceError }

interface BatchResponse {
  readonly TableName?: string
  readonly Item?: Item
  readonly Error?: { readonly Code: string; readonly Message: string; readonly Item?: unknown }
}

export const batchExecuteStatement = defineOperation<BatchExecuteStatementInput>(
  {
    type: 'structure',
    members: {
      Statements: {
        type: 'list',
        required: true,
        length: { min: 1, max: MAX_STATEMENTS },
        of: {
          type: 'structure',
          members: {
            ...STATEMENT_MEMBERS,
            ConsistentRead: { type: 'boolean' },
            ReturnValuesOnConditionCheckFailure: RETURN_ON_FAILURE,
          },
        },
      },
      ReturnConsumedCapacity: RETURN_CONSUMED_CAPACITY,
    },
  },
  async ({ Statements: statements, ReturnConsumedCapacity: wanted }, context) => {
    const members = statements.map((statement) => memberOf(statement, context))
    checkBatch(members)
    const units = new BatchUnits(wanted)
    const responses = await Promise.all(await nowAndOverTurns(respondInSteps(members, units, context)))
    // A member may have failed because of an item that is not durable yet.
    await context.settled()
    return { Responses: responses, ...units.consumed() }
  },
)

function memberOf(request: BatchedStatement, context: OperationContext): BatchMember {
  let is: 'read' | 'write' | 'unknown' = 'unknown'
  try {
    const ready: ReadyStatement = readStatement(request)
    const { statement, parameters } = ready
    const findTable = (name: string) => tableOf(context, name)
    if (statement.kind === 'exists') {
      throw validationException(MISPLACED_EXISTS_TEXT)
    }
    if (statement.kind === 'select') {
      is = 'read'
      const read = singleRead(statement, parameters, findTable)
      if (read !== undefined) return { kind: 'read', read, request }
      throw validationException(keylessSelectText('BatchExecuteStatement'))
    }
    is = 'write'
    return { kind: 'write', action: statementAction(statement, parameters, findTable), request }
  } catch (error) {
    return { kind: 'failed', is, error: errorOf(error) }
  }
}

/** Checks that a batch only reads or only writes, and names every item once. @throws ServiceError */
function checkBatch(members: readonly BatchMember[]): void {
  const kinds = new Set(members.map((member) => (member.kind === 'failed' ? member.is : member.kind)))
  if (kinds.has('read') && kinds.has('write')) {
    throw validationException('Read and write requests together in the same batch is not supported.')
  }
  const places = members.flatMap((member) => {
    if (member.kind === 'failed') return []
    const { table, key } = member.kind === 'read' ? member.read : member.action
    return [`${table.name} ${key}`]
  })
  if (new Set(places).size < places.length) {
    throw validationException(DUPLICATE_KEYS_TEXT)
  }
}

/**
 * Executes the statements. Those of a small batch run in one turn, so nothing comes between them and they share one flush to disk. The
 * items of a large one are decoded over many turns of the event loop, if they are on disk.
 */
function* respondInSteps(
  members: readonly BatchMember[],
  units: BatchUnits,
  context: OperationContext,
): Generator<undefined, readonly Promise<BatchResponse>[], undefined> {
  const responses: Promise<BatchResponse>[] = []
  const decoded = { bytes: 0 }
  for (const member of members) {
    if (decoded.bytes > DECODED_BYTES_PER_TURN) {
      yield
      decoded.bytes = 0
      context.checkCurrent()
    }
    const response = respond(member, decoded, units, context)
    // It may fail while the rest of the batch is executed.
    response.catch(() => {})
    responses.push(response)
  }
  return responses
}

/** What was decoded in the current turn of the event loop. */
interface Decoded {
  bytes: number
}

async function respond(
  member: BatchMember,
  decoded: Decoded,
  units: BatchUnits,
  context: OperationContext,
): Promise<BatchResponse> {
  if (member.kind === 'failed') return { Error: memberError(member.error) }
  const { table } = member.kind === 'read' ? member.read : member.action
  const TableName = table.name
  try {
    if (table.isGone) throw new TableGone()
    if (member.kind === 'read') return { TableName, ...withItem(readItem(member, decoded, units)) }
    const { action, request } = member
    const before = table.peek(action.key)
    count(decoded, before)
    const done = await runWrite(action, before, request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD')
    units.add(table.name, done.units)
    return { TableName, ...withItem(done.item) }
  } catch (error) {
    if (error instanceof ItemLocked) noteConflict(context, table)
    return { Error: memberError(errorOf(error)), TableName }
  }
}

function readItem(
  { read, request }: BatchMember & { readonly kind: 'read' },
  decoded: Decoded,
  units: BatchUnits,
): Item | undefined {
  const { table, key, columns } = read
  const { stored, units: used } = table.getItem(key, request.ConsistentRead ? 'strong' : 'eventual')
  units.add(table.name, tableUnits(used))
  if (stored === undefined) return undefined
  count(decoded, stored)
  return columns === undefined ? stored.item : selectItem(columns, stored.item)
}

function count(decoded: Decoded, stored: StoredItem | undefined): void {
  if (stored !== undefined && isFromDisk(stored)) decoded.bytes += stored.bytes
}

function withItem(item: Item | undefined): { readonly Item?: Item } {
  return item === undefined ? {} : { Item: item }
}

/** The codes that the service uses for errors of batch members, by the exception of the single operation. */
const CODES: Record<string, string> = {
  ValidationException: 'ValidationError',
  SerializationException: 'ValidationError',
  ResourceNotFoundException: 'ResourceNotFound',
  ConditionalCheckFailedException: 'ConditionalCheckFailed',
  DuplicateItemException: 'DuplicateItem',
  ProvisionedThroughputExceededException: 'ProvisionedThroughputExceeded',
  RequestLimitExceeded: 'RequestLimitExceeded',
  ThrottlingException: 'ThrottlingError',
  ItemCollectionSizeLimitExceededException: 'ItemCollectionSizeLimitExceeded',
  TransactionConflictException: 'TransactionConflict',
}

function memberError({ name, message, members }: ServiceError): NonNullable<BatchResponse['Error']> {
  const item = members.Item
  return {
    Code: CODES[name] ?? 'InternalServerError',
    Message: message,
    ...(item === undefined ? {} : { Item: item }),
  }
}

/** The error that a member would have caused as a single request. Unexpected errors are rethrown. */
function errorOf(error: unknown): ServiceError {
  const known = serviceErrorOf(error)
  if (known === undefined) throw error
  return known
}

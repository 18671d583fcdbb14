import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBServiceException,
  PutItemCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import type { Item } from '@isotherm/semantics'
import { IsothermError } from '../../errors/isotherm-error.js'
import { type Condition, joinedCondition, type RequestCondition } from '../conditions/condition.js'
import type { Sender } from '../sending/pattern-client.js'
import { retryDelay } from '../sending/retry-delay.js'
import { type Content, fromReference, toReference } from './content.js'
import type { Journal } from './journal.js'
import type { ParsedLargeOptions } from './large-options.js'
import { MARK } from './stored-attribute.js'

/** The item becomes another one, or none. */
export type Change = { readonly Item: Item } | { readonly Key: Item }

export interface Switch {
  readonly change: Change
  readonly condition: Condition | undefined
  /** What the new item refers to. Its pieces are written. */
  readonly content: Content | undefined
  readonly signal: AbortSignal | undefined
}

/** Of one item, other processes change the content so often at most before this one fails. */
const MAX_TRIES = 12

const REFERENCE = '#isotherm_large'

/**
 * Replaces or deletes an item by one write: at that moment, the new content gets its reference and the old one loses it.
 *
 * The old content is not known at first. So the write is tried on the condition that there is none, and DynamoDB returns the item
 * that says otherwise. Rejected: to read the item first, because most puts create an item, and reading one of 400 KB costs 50 units.
 *
 * @returns the content that the item no longer refers to
 * @throws ConditionalCheckFailedException of the SDK if the application's condition fails
 * @throws IsothermError `large.late` or `large.contended`
 */
export async function switchItem(
  db: Sender,
  journal: Journal,
  options: ParsedLargeOptions,
  { change, condition, content, signal }: Switch,
): Promise<Content | undefined> {
  const { table, clock, random } = options
  let reference: string | undefined
  for (let tried = 1; tried <= MAX_TRIES; tried++) {
    const own = ownCondition(reference, condition)
    const old = reference === undefined ? undefined : fromReference(reference)
    if (reference !== undefined && old === undefined) throw unknownReference(table, reference)
    const others = [
      ...(content === undefined ? [] : [journal.commit(content)]),
      // mark: old-content-gets-an-entry
      ...(old === undefined ? [] : [journal.release(old, clock.now())]),
    ]
    try {
      await (others.length === 0
        ? sendAlone(db, table, change, own, signal)
        : sendTogether(db, table, change, own, others, signal))
      return old
    } catch (error) {
      const refusal = refusalOf(error, content !== undefined)
      const found = refusal.kind === 'failed' ? referenceOf(refusal.item) : undefined
      // An earlier attempt of the SDK was carried out after all, and its answer was lost.
      if (content !== undefined && found === toReference(content)) return undefined
      if (refusal.kind === 'fenced') throw collected(table, options.writeMilliseconds)
      if (refusal.kind === 'failed') {
        // The reference is the expected one, so it was the application's condition.
        if (found === reference) throw conditionFailed(refusal.item, error)
        reference = found
      }
    }
    if (tried > 1) await clock.sleep(retryDelay(random, tried), signal)
  }
  throw new IsothermError(
    'large.contended',
    `Other processes changed the same item of ${table} during each of ${MAX_TRIES} tries, and nothing of this write is visible. Try again, or write the item from fewer processes.`,
    { table, tries: MAX_TRIES },
  )
}

/** The item has the reference, or none. */
function ownCondition(reference: string | undefined, condition: Condition | undefined): RequestCondition {
  const names = { [REFERENCE]: MARK }
  return joinedCondition('large: the condition', condition, {
    expression:
      reference === undefined ? `attribute_not_exists(${REFERENCE})` : `${REFERENCE} = :isotherm_large`,
    names,
    ...(reference === undefined ? {} : { values: { ':isotherm_large': { S: reference } } }),
  })
}

async function sendAlone(
  db: Sender,
  TableName: string,
  change: Change,
  own: RequestCondition,
  abortSignal: AbortSignal | undefined,
): Promise<void> {
  const options = abortSignal && { abortSignal }
  const request = { TableName, ...own, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }
  if ('Item' in change) await db.send(new PutItemCommand({ ...request, ...change }), options)
  else await db.send(new DeleteItemCommand({ ...request, ...change }), options)
}

async function sendTogether(
  db: Sender,
  TableName: string,
  change: Change,
  own: RequestCondition,
  others: readonly TransactWriteItem[],
  abortSignal: AbortSignal | undefined,
): Promise<void> {
  const request = { TableName, ...own, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }
  const first: TransactWriteItem =
    'Item' in change ? { Put: { ...request, ...change } } : { Delete: { ...request, ...change } }
  // The SDK gives each command a token, so that its retries are not carried out twice.
  const command = new TransactWriteItemsCommand({ TransactItems: [first, ...others] })
  await db.send(command, abortSignal && { abortSignal })
}

type Refusal =
  | { readonly kind: 'failed'; readonly item: Item | undefined }
  | { readonly kind: 'fenced' }
  | { readonly kind: 'conflict' }

/** @throws the error itself if it does not say that nothing was written */
function refusalOf(error: unknown, commits: boolean): Refusal {
  if (!(error instanceof Error)) throw error
  if (error.name === 'ConditionalCheckFailedException') {
    return { kind: 'failed', item: (error as { readonly Item?: Item }).Item }
  }
  if (error.name === 'TransactionConflictException') return { kind: 'conflict' }
  if (error.name !== 'TransactionCanceledException') throw error
  const { CancellationReasons = [] } = error as {
    readonly CancellationReasons?: readonly {
      readonly Code?: string
      readonly Message?: string
      readonly Item?: Item
    }[]
  }
  const [own, entry] = CancellationReasons
  if (own?.Code === 'ConditionalCheckFailed') return { kind: 'failed', item: own.Item }
  if (own?.Code === 'ValidationError') throw invalid(own.Message, error)
  if (commits && entry?.Code === 'ConditionalCheckFailed') return { kind: 'fenced' }
  const codes = CancellationReasons.map(({ Code = 'None' }) => Code)
  if (codes.some((code) => PASSING.has(code)) && codes.every((code) => code === 'None' || PASSING.has(code)))
    return { kind: 'conflict' }
  throw error
}

/** The same transaction may succeed a little later. */
const PASSING: ReadonlySet<string> = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
])

function referenceOf(item: Item | undefined): string | undefined {
  const reference = item?.[MARK]
  return reference !== undefined && 'S' in reference ? reference.S : undefined
}

function conditionFailed(item: Item | undefined, cause: unknown): Error {
  if (cause instanceof ConditionalCheckFailedException) return cause
  return new ConditionalCheckFailedException({
    message: 'The conditional request failed',
    $metadata: (cause as { readonly $metadata?: object }).$metadata ?? {},
    ...(item === undefined ? {} : { Item: item }),
  })
}

/** The error that DynamoDB gives for the same item outside of a transaction. */
function invalid(message: string | undefined, cause: Error): Error {
  const { $metadata = {} } = cause as { readonly $metadata?: object }
  const exception = new DynamoDBServiceException({
    name: 'ValidationException',
    $fault: 'client',
    message: message ?? cause.message,
    $metadata,
  })
  return Object.assign(exception, { cause })
}

function collected(table: string, milliseconds: number): IsothermError<'large.late'> {
  return new IsothermError(
    'large.late',
    `A put to ${table} took so long that its pieces have been collected, and nothing of it is visible. Put the item again, with a longer writeWithin (${milliseconds} ms) or a larger olderThan of collect().`,
    { table, milliseconds },
  )
}

function unknownReference(table: string, reference: string): IsothermError<'large.format'> {
  return new IsothermError(
    'large.format',
    `An item of ${table} refers to its content by ${JSON.stringify(reference)}, which this version of isotherm/large does not know. Upgrade isotherm in this process.`,
    { table, attribute: MARK },
  )
}

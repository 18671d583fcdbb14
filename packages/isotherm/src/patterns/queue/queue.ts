import type { TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { requestToken } from '../../attempts/request-token.js'
import {
  invalidOption,
  refuseUnknown,
  requireBoolean,
  requireInteger,
  requireObject,
} from '../../options/check.js'
import { type Duration, parseDuration } from '../../options/duration.js'
import { actionForCaller } from '../caller-actions.js'
import { refuseHalfPairs } from '../half-pairs.js'
import { type PatternClient, toSender } from '../sending/pattern-client.js'
import { keysOf, sparseIndexOf } from '../table-check/expected-table.js'
import { tableCheck, withTable } from '../table-check/table-check.js'
import { enqueue, enqueueActions, type NewOperation } from './enqueue.js'
import { printed } from './printed.js'
import type { QueueTarget } from './queue-items.js'
import { parseQueueOptions, type QueueOptions } from './queue-options.js'
import { type DeadLetter, deadLetters, type QueueStats, queueStats, redrive } from './queue-state.js'
import { type Handler, type Shift, Worker, type WorkReport } from './work-off.js'

/** Options of `enqueue`. */
export interface EnqueueOptions {
  /** Names the operation: a second one with the same key is not stored. 1 to 512 bytes of text. The default is a random name. */
  readonly key?: string | undefined
  /** Operations of one entity are worked off one after the other, in the order in which they were enqueued. 1 to 512 bytes of text. */
  readonly entity?: string | undefined
  /** The time before it may begin. The default is none. */
  readonly delay?: Duration | undefined
}

/** What came of `enqueue`. */
export interface Enqueued {
  readonly id: string
  /** `false` if there was an operation with the same key. */
  readonly isNew: boolean
}

/** The writes that store an operation. */
export interface PreparedOperation {
  readonly id: string
  /** For `TransactItems` of a transaction, alone or with your own. */
  readonly actions: TransactWriteItem[]
}

/** Options of `work`. */
export interface WorkOptions {
  /** Operations that are worked on at a time, 1 to 1,000. The default is 1. */
  readonly concurrency?: number | undefined
  /** Ends the work when it aborts. */
  readonly signal?: AbortSignal | undefined
  /** The mean wait when nothing is due. The default is `'1s'`. */
  readonly pollInterval?: Duration | undefined
  /** How long handlers may run on after the signal has aborted. Then their operations are given back. The default is `'20s'`. */
  readonly stopTimeout?: Duration | undefined
  /** Ends the work when nothing is due, or with an error when that cannot be found out within `timeout`, as for a scheduled function. The default is `false`. */
  readonly untilEmpty?: boolean | undefined
}

/** A queue of operations that take effect once. */
export interface Queue<Payload> {
  /**
   * Stores an operation. The payload is any value of JSON, up to 390 KB.
   *
   * @throws IsothermError `options.invalid`, `table.missing`, `table.differs` or `table.no-index`, and nothing was written; `queue.busy`
   */
  enqueue(payload: Payload, options?: EnqueueOptions): Promise<Enqueued>
  /**
   * Returns the writes that store an operation, for a transaction of your own, in the form that your client takes. If the operation exists, the
   * transaction is cancelled. With an `entity`, it is cancelled as well if another operation of the entity was enqueued or ended meanwhile: prepare
   * it again.
   */
  prepare(payload: Payload, options?: EnqueueOptions): Promise<PreparedOperation>
  /**
   * Works operations off until the signal aborts, and returns what was done.
   *
   * @throws errors that no wait would cure, such as a missing permission; after `timeout`, errors of credentials, and with `untilEmpty` any error
   * of a claim. Running handlers end before, or their operations are given back
   */
  work(handler: Handler<Payload>, options?: WorkOptions): Promise<WorkReport>
  /** Counts the operations, up to 1,000 of each kind in a shard of the index. */
  stats(): Promise<QueueStats>
  /** Returns up to `limit` dead letters (1 to 1,000, default 100), the oldest first. */
  deadLetters(limit?: number): Promise<readonly DeadLetter[]>
  /** Begins a dead letter again, without the order of its entity. @throws IsothermError `queue.not-dead` */
  redrive(id: string): Promise<void>
}

const MAX_NAME_BYTES = 512

/**
 * A queue in a table: operations are stored as items, and workers claim them one by one. The writes that a handler returns take effect exactly
 * once, because they are in one transaction with the mark that the operation is done.
 *
 * Pending operations are found by a sparse index. `queueTable` returns the definition of a table with this index.
 *
 * @throws IsothermError `options.invalid` or `options.unknown`
 * @example
 * const mails = queue<{ to: string }>(new DynamoDBClient({}), { table: 'outbox', partitionKey: 'id' })
 * await mails.enqueue({ to: 'a@example.com' }, { key: 'order-7-confirmed' })
 * const stop = new AbortController()
 * process.once('SIGTERM', () => stop.abort())
 * await mails.work(async ({ payload }) => console.log(payload.to), { concurrency: 10, signal: stop.signal })
 */
export function queue<Payload = unknown>(db: PatternClient, options: QueueOptions): Queue<Payload> {
  const client = toSender('queue', db)
  const parsed = parseQueueOptions(options)
  const target: QueueTarget = { db: client, options: parsed }
  const requireTable = tableCheck(
    client,
    {
      pattern: 'queue',
      table: parsed.table,
      keys: keysOf(parsed),
      keyType: 'S',
      index: sparseIndexOf(client, 'queue', parsed, ['due', parsed.due]),
    },
    parsed.clock,
  )
  const checked = withTable(requireTable)
  return {
    enqueue: async (payload, given = {}) => {
      const operation = parseOperation(target, payload, given)
      return { id: operation.id, isNew: await checked(() => enqueue(target, operation)) }
    },
    prepare: async (payload, given = {}) => {
      const operation = parseOperation(target, payload, given)
      const actions = await checked(() => enqueueActions(target, operation))
      return { id: operation.id, actions: actions.map((action) => actionForCaller(db, action)) }
    },
    work: async (handler, given = {}) => {
      if (typeof handler !== 'function')
        throw invalidOption('queue.work', handler, 'a handler, as a function')
      const shift = parseShift(given)
      return checked(() => new Worker(target, handler, shift).run())
    },
    stats: () => checked(() => queueStats(target)),
    deadLetters: async (limit = 100) => {
      const most = requireInteger('queue.deadLetters', limit, 1, 1_000)
      return checked(() => deadLetters(target, most))
    },
    redrive: async (id) => {
      const name = requireName('queue.redrive', id)
      return checked(() => redrive(target, name))
    },
  }
}

function parseOperation({ options }: QueueTarget, payload: unknown, given: EnqueueOptions): NewOperation {
  requireObject('queue.enqueue', given, 'an object of options, such as { key }')
  refuseUnknown('queue.enqueue', given, ['key', 'entity', 'delay'])
  const { key, entity, delay = 0 } = given
  return {
    id: key === undefined ? requestToken(options.random) : requireName('queue.enqueue.key', key),
    payload: jsonOf(payload),
    entity: entity === undefined ? undefined : requireName('queue.enqueue.entity', entity),
    delayMilliseconds: parseDuration('queue.enqueue.delay', delay),
  }
}

/** An item has 400 KB. The rest is for the keys and the queue's own attributes, such as the reason of a failure. */
const MOST_PAYLOAD_BYTES = 390 * 1_024

function jsonOf(payload: unknown): string {
  const text = textOf(payload)
  const bytes = Buffer.byteLength(text)
  if (bytes <= MOST_PAYLOAD_BYTES) return text
  throw invalidOption(
    'queue.enqueue: the payload',
    `${bytes} bytes of JSON`,
    `at most ${MOST_PAYLOAD_BYTES} bytes; store more with isotherm/large, and its key in the payload`,
  )
}

function textOf(payload: unknown): string {
  const rule = 'a value that JSON can represent'
  try {
    const text = JSON.stringify(payload)
    if (text !== undefined) return text
  } catch {
    throw invalidOption('queue.enqueue: the payload', printed(payload), rule)
  }
  throw invalidOption('queue.enqueue: the payload', payload, rule)
}

function requireName(option: string, name: unknown): string {
  const bytes = typeof name === 'string' ? Buffer.byteLength(name) : 0
  if (typeof name !== 'string' || bytes < 1 || bytes > MAX_NAME_BYTES)
    throw invalidOption(option, name, `text of 1 to ${MAX_NAME_BYTES} bytes`)
  if (name.startsWith('isotherm#'))
    throw invalidOption(option, name, 'text that does not begin with isotherm#')
  refuseHalfPairs(option, name)
  return name
}

function parseShift(given: WorkOptions): Shift {
  requireObject('queue.work', given, 'an object of options, such as { concurrency: 10, signal }')
  refuseUnknown('queue.work', given, ['concurrency', 'signal', 'pollInterval', 'stopTimeout', 'untilEmpty'])
  const { signal = new AbortController().signal } = given
  if (!(signal instanceof AbortSignal)) throw invalidOption('queue.work.signal', signal, 'an AbortSignal')
  return {
    concurrency: requireInteger('queue.work.concurrency', given.concurrency ?? 1, 1, 1_000),
    signal,
    pollMilliseconds: parseDuration('queue.work.pollInterval', given.pollInterval ?? '1s'),
    stopMilliseconds: parseDuration('queue.work.stopTimeout', given.stopTimeout ?? '20s'),
    untilEmpty: requireBoolean('queue.work.untilEmpty', given.untilEmpty ?? false),
  }
}

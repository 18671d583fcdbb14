import { requestToken } from '../../attempts/request-token.js'
import { NextRun } from '../../bounded/next-run.js'
import { RecentlyUsedMap } from '../../bounded/recently-used-map.js'
import { invalidOption, refuseUnknown, requireInteger, requireObject } from '../../options/check.js'
import { type PatternClient, type Sender, toSender } from '../sending/pattern-client.js'
import { keysOf } from '../table-check/expected-table.js'
import { tableCheck } from '../table-check/table-check.js'
import { unlessAborted } from '../unless-aborted.js'
import { addToCounter, type CounterTarget } from './add-to-counter.js'
import { CounterItems } from './counter-items.js'
import { type CounterOptions, parseCounterOptions } from './counter-options.js'
import { CounterShards, type KnownShards } from './counter-shards.js'
import { type CounterEstimate, estimateCounter } from './estimate-counter.js'
import { numberOf, readCounter } from './read-counter.js'
import { resetCounter } from './reset-counter.js'
import { rollUpCounter } from './roll-up-counter.js'

/** Options of one count. */
export interface CountOptions {
  /**
   * Counts once, however often the same token is sent: by retries after a lost response, by another process, or by a message that
   * is delivered again. 1 to 512 bytes of text, without half surrogate pairs.
   */
  readonly token?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** What came of a count. */
export interface Counted {
  /** Whether it was counted by this call. `false` if its token had been counted before. */
  readonly isNew: boolean
}

/** Options of a roll-up. */
export interface RollUpOptions {
  /** Lowers the number of shards to this, so that reading the counter costs less. The default leaves it. */
  readonly shards?: number | undefined
}

/** A counter. Any number of processes count in it. */
export interface Counter {
  /**
   * Adds a whole number of 0 or more.
   *
   * Without a token, a count whose response is lost may be counted twice, because the SDK retries it.
   *
   * @throws IsothermError `options.invalid`; `table.missing` or `table.differs`, and nothing was written; `counter.busy`, and nothing was counted; the
   * throttling error of the last attempt after `timeout`
   */
  add(amount: number, options?: CountOptions): Promise<Counted>
  /** Subtracts a whole number of 0 or more. Otherwise as `add`. */
  subtract(amount: number, options?: CountOptions): Promise<Counted>
  /**
   * Returns the sum of all shards. It has every count that was made before the call, and some of those made during it.
   *
   * @throws IsothermError `counter.too-large`, `counter.busy`
   */
  value(): Promise<number>
  /** Reads `k` shards, 1 to 1,000, or a few more if the counter grew in many steps, and extrapolates. */
  estimate(k: number): Promise<CounterEstimate>
  /**
   * Moves what the shards have counted into one item, and returns what was moved. The value is the same before, during and
   * after it.
   *
   * @throws IsothermError `counter.busy`; `counter.too-large`, and it was rolled up
   */
  rollUp(options?: RollUpOptions): Promise<number>
  /**
   * Sets the counter to zero, and returns its value until then. What others count meanwhile is either in it, or remains.
   *
   * @throws IsothermError `counter.too-large`, and nothing was reset; `counter.busy`
   */
  reset(): Promise<number>
}

/** Counters of which a process knows the shards, for each client. */
const MAX_KNOWN = 10_000

const known = new WeakMap<Sender, RecentlyUsedMap<string, KnownShards>>()

const MAX_TOKEN_BYTES = 512

/**
 * A counter for any rate: it is spread over items, its shards, and gets more of them when DynamoDB throttles it.
 *
 * The table needs a partition key that is text, and may have a sort key that is text. It can hold other items. The number of shards is
 * in an item of the counter, so no shard map and no option of the client is needed.
 *
 * @throws IsothermError `options.invalid` or `options.unknown`
 * @example
 * const votes = counter(new DynamoDBClient({}), { table: 'counters', partitionKey: 'id', key: 'Campaign#101' })
 * await votes.add(1, { token: 'voter-4711' })
 * console.log(await votes.value())
 */
export function counter(db: PatternClient, options: CounterOptions): Counter {
  const client = toSender('counter', db)
  const parsed = parseCounterOptions(options)
  const target: CounterTarget = {
    db: client,
    options: parsed,
    items: new CounterItems(parsed),
    shards: new CounterShards(client, parsed, knownShards(client, `${parsed.table} ${parsed.key}`)),
  }
  const requireTable = tableCheck(
    client,
    {
      pattern: 'counter',
      table: parsed.table,
      keys: keysOf(parsed),
      keyType: 'S',
    },
    parsed.clock,
  )
  const checked = async <Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> => {
    await unlessAborted(signal, requireTable)
    return work()
  }
  const count = async (amount: number, sign: 1 | -1, given: CountOptions = {}): Promise<Counted> => {
    const { token: text, signal } = parseCount(given)
    const whole = requireInteger('counter.amount', amount, 0, Number.MAX_SAFE_INTEGER)
    const token = text === undefined ? undefined : { text, countedBy: requestToken(parsed.random) }
    const addition = { amount: sign * whole, token, signal }
    return { isNew: await checked(() => addToCounter(target, addition), signal) }
  }
  return {
    add: (amount, given) => count(amount, 1, given),
    subtract: (amount, given) => count(amount, -1, given),
    value: async () => numberOf((await checked(() => readCounter(target))).value, parsed),
    estimate: async (k) => {
      const shards = requireInteger('counter.estimate', k, 1, 1_000)
      return checked(() => estimateCounter(target, shards))
    },
    rollUp: async (given = {}) => {
      const shards = parseRollUp(given)
      return numberOf(await checked(() => rollUpCounter(target, shards)), parsed)
    },
    reset: () => checked(() => resetCounter(target)),
  }
}

function parseCount(given: CountOptions): CountOptions {
  requireObject('counter.add', given, 'an object of options, such as { token }')
  refuseUnknown('counter.add', given, ['token', 'signal'])
  const { token, signal } = given
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw invalidOption('counter.add.signal', signal, 'an AbortSignal')
  if (token === undefined) return given
  const bytes = typeof token === 'string' ? Buffer.byteLength(token) : 0
  // UTF-8 has one code for all half surrogate pairs, so that two such tokens would be one.
  if (bytes >= 1 && bytes <= MAX_TOKEN_BYTES && !/\p{Cs}/u.test(token)) return given
  throw invalidOption(
    'counter.add.token',
    token,
    `text of 1 to ${MAX_TOKEN_BYTES} bytes without half surrogate pairs`,
  )
}

function parseRollUp(given: RollUpOptions): number | undefined {
  requireObject('counter.rollUp', given, 'an object of options, such as { shards: 1 }')
  refuseUnknown('counter.rollUp', given, ['shards'])
  return given.shards === undefined
    ? undefined
    : requireInteger('counter.rollUp.shards', given.shards, 1, 1_000)
}

/** A function that makes a counter for each request shall not read its shards each time. */
function knownShards(db: Sender, name: string): KnownShards {
  const ofClient = known.get(db) ?? new RecentlyUsedMap<string, KnownShards>(MAX_KNOWN)
  known.set(db, ofClient)
  const found = ofClient.get(name)
  if (found !== undefined) return found
  const made = {
    head: undefined,
    readAt: 0,
    usedSince: 0,
    attempts: 0,
    refusals: 0,
    reading: undefined,
    refusedBy: [],
    looks: new NextRun<Error | undefined>(),
    growing: false,
  }
  ofClient.set(name, made)
  return made
}

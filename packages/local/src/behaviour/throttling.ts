import { expect } from 'vitest'
import type { ServiceError } from '../errors/service-error.js'
import { SPENT_INDEXES } from '../spent-indexes.js'
import type { Behaviour, BehaviourGroup } from './behaviour.js'
import {
  type Asked,
  average,
  BehaviourBench,
  get,
  item,
  provisioned,
  put,
  TABLE_ARN,
} from './behaviour-bench.js'
import {
  BATCH_WRITE,
  ERRORS,
  INDEX_THROTTLING,
  ONE_INDEX_KEY,
  THROTTLING_REASON,
  TRANSACTIONS,
} from './sources.js'

const INDEX_ARN = `${TABLE_ARN}/index/by_kind`

const PROVISIONED = {
  exception: 'ProvisionedThroughputExceededException',
  member: 'ThrottlingReasons',
} as const
const ON_DEMAND = { exception: 'ThrottlingException', member: 'throttlingReasons' } as const

/** Each kind of limit: the mode of the table, and the service's error. */
const LIMITS = [
  {
    limit: 'KeyRangeThroughputExceeded',
    mode: 'on demand',
    ...ON_DEMAND,
    text: 'check if you have a hot key',
  },
  { limit: 'KeyRangeThroughputExceeded', mode: 'provisioned', ...PROVISIONED, text: 'level of configured' },
  {
    limit: 'ProvisionedThroughputExceeded',
    mode: 'provisioned',
    ...PROVISIONED,
    text: 'level of configured',
  },
  {
    limit: 'MaxOnDemandThroughputExceeded',
    mode: 'on demand',
    ...ON_DEMAND,
    text: 'maximum OnDemandThroughput',
  },
  {
    limit: 'AccountLimitExceeded',
    mode: 'on demand',
    exception: 'RequestLimitExceeded',
    member: 'ThrottlingReasons',
    text: 'throughput limit for your account',
  },
] as const

type Limit = (typeof LIMITS)[number]
type Owner = 'Table' | 'Index'
type Access = 'Read' | 'Write'

/** The text differs when an index throttles the writes of its table. */
function textOf({ text, mode, limit }: Limit, owner: Owner, access: Access): string {
  if (owner === 'Table' || limit === 'AccountLimitExceeded') return text
  if (mode === 'provisioned') return 'one or more global secondary indexes of the table was exceeded'
  if (limit === 'MaxOnDemandThroughputExceeded' || access === 'Read') return text
  return 'automatically scaling your index so please try again shortly'
}

/** A table in which a load reaches exactly this limit first. */
function limited({ limit, mode }: Limit, owner: Owner, access: Access): BehaviourBench {
  const units = limit === 'ProvisionedThroughputExceeded' ? 5 : 20_000
  const maximum =
    limit === 'MaxOnDemandThroughputExceeded'
      ? { OnDemandThroughput: { [`Max${access}RequestUnits`]: 5 } }
      : {}
  const throughput = (own: boolean) =>
    mode === 'provisioned' ? { units: own ? units : 20_000 } : own ? maximum : {}
  return new BehaviourBench(
    {
      ...throughput(owner === 'Table'),
      global: { by_kind: { key: ['kind'], ...throughput(owner === 'Index') } },
    },
    {
      capacity: {
        indexPartitionBurstSeconds: 1,
        // Either partitions of ten units are exhausted first, or no partition's limit is ever reached.
        ...(limit === 'KeyRangeThroughputExceeded'
          ? { partitionReadUnitsPerSecond: 10, partitionWriteUnitsPerSecond: 10, onDemandPartitions: 64 }
          : {
              partitionReadUnitsPerSecond: 20_000,
              partitionWriteUnitsPerSecond: 20_000,
              onDemandPartitions: 1,
            }),
        ...(limit === 'AccountLimitExceeded' ? { tableUnitsPerSecond: 10 } : {}),
      },
      propagation: { indexQueueUnits: 1 },
    },
  )
}

/** Sends one kind of request until it is throttled. */
function refusalOf(bench: BehaviourBench, owner: Owner, access: Access): ServiceError {
  if (access === 'Read') bench.ask(...put('one', 'a', 3, owner === 'Index' ? kind('A') : {}))
  for (let request = 0; request < 500; request++) {
    const failure = bench.failureOf(...requestFor(owner, access, request))
    if (failure !== undefined) return failure
  }
  throw new Error('The load was expected to meet a limit.')
}

/** Requests that exhaust a table with one key, and an index before its table. */
function requestFor(owner: Owner, access: Access, request: number): Asked {
  if (access === 'Read') return owner === 'Table' ? get('one', 'a') : ['Query', kindA]
  if (owner === 'Table') return put('one', 'a')
  // Each of many items changes its kind to the same one: two writes of the index for one of the table.
  return put(`key-${request >> 1}`, 'a', 1, kind(request % 2 === 0 ? 'B' : 'A'))
}

const kind = (value: string) => ({ kind: { S: value } })
const kindA = {
  IndexName: 'by_kind',
  KeyConditionExpression: 'kind = :k',
  ExpressionAttributeValues: { ':k': { S: 'A' } },
}

function reason(limit: Limit, owner: Owner, access: Access): Behaviour {
  return {
    fact: `for ${owner}${access}${limit.limit}, ${limit.mode}, is a ${limit.exception} with ${limit.member}`,
    basis: limit.limit === 'KeyRangeThroughputExceeded' ? 'inferred' : 'documented',
    source: limit.limit === 'KeyRangeThroughputExceeded' ? ERRORS : THROTTLING_REASON,
    show() {
      const bench = limited(limit, owner, access)
      const failure = refusalOf(bench, owner, access)
      const told = {
        reason: `${owner}${access}${limit.limit}`,
        resource: owner === 'Table' ? TABLE_ARN : INDEX_ARN,
      }
      expect(failure.name).toBe(limit.exception)
      expect(failure.members).toEqual({ [limit.member]: [told] })
      expect(failure.message).toContain(textOf(limit, owner, access))
    },
  }
}

const WITH_KIND = { global: { by_kind: { key: ['kind'], projected: 'KEYS_ONLY' } } } as const

/**
 * Registers 25 items per call at a constant rate. @returns items per second that were written, and the number of calls
 * by result.
 */
async function registerInBulk(bench: BehaviourBench, more: (index: number) => object) {
  const calls = new Map<string, number>()
  let [written, index] = [0, 0]
  const [seconds, callsPerSecond] = [10, 120]
  for (let call = 0; call < seconds * callsPerSecond; call++) {
    const requests = Array.from({ length: 25 }, () => {
      index++
      return { PutRequest: { Item: item(`user-${index}`, 'profile', 600, more(index)) } }
    })
    let unprocessed = 25
    try {
      const { UnprocessedItems } = await bench.ask('BatchWriteItem', { RequestItems: { events: requests } })
      unprocessed = UnprocessedItems.events?.length ?? 0
      const ending = unprocessed === 0 ? 'whole' : 'partial'
      calls.set(ending, (calls.get(ending) ?? 0) + 1)
    } catch {
      calls.set('refused', (calls.get('refused') ?? 0) + 1)
    }
    // The first seconds spend saved capacity.
    if (call >= 5 * callsPerSecond) written += 25 - unprocessed
    bench.clock.advance(1000 / callsPerSecond)
  }
  return { itemsPerSecond: written / (seconds - 5), calls }
}

/** The runs that were measured: one client, 160,550 items in batches of 25. */
async function registerAsMeasured(
  bench: BehaviourBench,
  kindOf: (number: number) => string,
  items = 160_550,
) {
  const [itemsPerSecond, batch] = [2_600, 25]
  let [unprocessed, refusedCalls, firstAt] = [0, 0, Number.POSITIVE_INFINITY]
  for (let first = 0; first < items; first += batch) {
    const requests = Array.from({ length: batch }, (_, each) => ({
      PutRequest: {
        Item: item(`user-${first + each}`, 'profile', 100, { kind: { S: kindOf(first + each) } }),
      },
    }))
    try {
      const { UnprocessedItems } = await bench.ask('BatchWriteItem', { RequestItems: { events: requests } })
      const back = UnprocessedItems.events?.length ?? 0
      unprocessed += back
      if (back > 0) firstAt = Math.min(firstAt, first / itemsPerSecond)
    } catch {
      refusedCalls++
    }
    bench.clock.advance((1000 * batch) / itemsPerSecond)
  }
  return { unprocessed, firstAt, refusedCalls }
}

export const THROTTLES: BehaviourGroup = {
  subject: 'A throttle',
  behaviours: [
    ...(['Table', 'Index'] as const).flatMap((owner) =>
      (['Read', 'Write'] as const).flatMap((access) => LIMITS.map((limit) => reason(limit, owner, access))),
    ),
    {
      fact: 'of some items of a batch returns them as UnprocessedItems, with HTTP 200 and no reason',
      basis: 'documented',
      source: ERRORS,
      async show() {
        const bench = new BehaviourBench(provisioned(5, 5))
        const puts = Array.from({ length: 20 }, (_, index) => ({
          PutRequest: { Item: item(`key-${index}`, 'a', 100) },
        }))
        const answer = await bench.ask('BatchWriteItem', { RequestItems: { events: puts } })
        expect(answer).toEqual({ UnprocessedItems: { events: puts.slice(5) } })
        const reads = new BehaviourBench(provisioned(2, 50))
        const Keys = Array.from({ length: 20 }, (_, index) => ({ pk: { S: `key-${index}` }, sk: { S: 'a' } }))
        const { UnprocessedKeys } = await reads.ask('BatchGetItem', {
          RequestItems: { events: { Keys, ConsistentRead: true } },
        })
        expect(UnprocessedKeys).toEqual({ events: { Keys: Keys.slice(2), ConsistentRead: true } })
      },
    },
    {
      fact: 'of every item of a batch is an exception',
      basis: 'documented',
      source: BATCH_WRITE,
      async show() {
        const bench = new BehaviourBench(provisioned(5, 5))
        while (bench.failureOf(...put('one', 'a')) === undefined);
        const failure = await bench.laterFailureOf('BatchWriteItem', {
          RequestItems: { events: [{ PutRequest: { Item: item('one', 'a', 100) } }] },
        })
        expect(failure?.name).toBe('ProvisionedThroughputExceededException')
      },
    },
    {
      fact: 'of one item cancels its transaction, which then consumes nothing',
      basis: 'documented',
      source: TRANSACTIONS,
      async show() {
        const bench = new BehaviourBench({}, { capacity: { partitionBurstSeconds: 1 } })
        while (bench.failureOf(...put('hot', 'a', 100)) === undefined);
        const puts = ['cold', 'hot'].map((pk) => ({ Put: { TableName: 'events', Item: item(pk, 'b', 10) } }))
        const failure = await bench.laterFailureOf('TransactWriteItems', { TransactItems: puts })
        expect(failure?.name).toBe('TransactionCanceledException')
        const reasons = failure?.members.CancellationReasons as { readonly Code: string }[]
        expect(reasons.map(({ Code }) => Code)).toEqual(['None', 'ThrottlingError'])
        expect(bench.ask('GetItem', { Key: { pk: { S: 'cold' }, sk: { S: 'b' } } })).toEqual({})
      },
    },
    {
      fact: 'of a provisioned table cancels a transaction with ProvisionedThroughputExceeded',
      basis: 'documented',
      source: TRANSACTIONS,
      async show() {
        const bench = new BehaviourBench(provisioned(5, 5))
        while (bench.failureOf(...put('one', 'a')) === undefined);
        const failure = await bench.laterFailureOf('TransactWriteItems', {
          TransactItems: [{ Put: { TableName: 'events', Item: item('one', 'b', 10) } }],
        })
        expect(failure?.members.CancellationReasons).toMatchObject([
          { Code: 'ProvisionedThroughputExceeded' },
        ])
      },
    },
    {
      fact: 'by an index with two values limits bulk registration that lasts to 1,000 items per second, with UnprocessedItems',
      basis: 'documented',
      source: INDEX_THROTTLING,
      async show() {
        const { itemsPerSecond, calls } = await registerInBulk(
          new BehaviourBench(WITH_KIND, SPENT_INDEXES),
          () => ({
            kind: { S: 'new' },
          }),
        )
        expect(Math.abs(itemsPerSecond - 1000)).toBeLessThan(30)
        expect(calls.get('partial')).toBeGreaterThan(100)
      },
    },
    {
      fact: 'by an index with one value comes after a minute, for about 184 of 160,550 items at 2,600 per second',
      basis: 'measured',
      source: ONE_INDEX_KEY,
      async show() {
        const bench = new BehaviourBench(WITH_KIND, { metrics: false })
        const { unprocessed, firstAt, refusedCalls } = await registerAsMeasured(bench, () => 'UN_USED')
        expect(unprocessed).toBeGreaterThan(184 / 2)
        expect(unprocessed).toBeLessThan(184 * 2)
        expect(refusedCalls).toBe(0)
        expect(firstAt).toBeGreaterThan(55)
      },
    },
    {
      fact: 'does not come at that rate from an index whose key is different in each item',
      basis: 'measured',
      source: ONE_INDEX_KEY,
      async show() {
        // Without savings the first seconds show what an index throttles.
        const bench = new BehaviourBench(WITH_KIND, { metrics: false, ...SPENT_INDEXES })
        const outcome = await registerAsMeasured(bench, (number) => `user-${number}`, 26_000)
        expect(outcome).toMatchObject({ unprocessed: 0, refusedCalls: 0 })
      },
    },
    {
      fact: 'does not come from an index that does not contain the items',
      basis: 'documented',
      source: INDEX_THROTTLING,
      async show() {
        const bench = new BehaviourBench({ ...WITH_KIND, WarmThroughput: { WriteUnitsPerSecond: 8000 } })
        const { itemsPerSecond, calls } = await registerInBulk(bench, () => ({}))
        expect(itemsPerSecond).toBe(3000)
        expect([...calls.keys()]).toEqual(['whole'])
      },
    },
    {
      fact: 'of reads of an index does not affect its table',
      basis: 'measured',
      source: 'https://vladholubiev.com/articles/five-ways-to-deal-with-aws-dynamodb-gsi-throttling',
      show() {
        const bench = new BehaviourBench(WITH_KIND)
        bench.ask(...put('one', 'a', 1, { kind: { S: 'A' } }))
        while (bench.failureOf('Query', kindA) === undefined);
        const outcome = bench.drive({
          seconds: 5,
          unitsPerSecond: 500,
          unitsEach: 1,
          request: () => put('one', 'a', 1, { kind: { S: 'A' } }),
        })
        expect(average(outcome, 0)).toBe(500)
      },
    },
  ],
}

import {
  GetItemCommand,
  PutItemCommand,
  type PutItemInput,
  QueryCommand,
  TransactionCanceledException,
  type TransactWriteItemsInput,
  UpdateItemCommand,
  type UpdateItemInput,
} from '@aws-sdk/client-dynamodb'
import { type Clock, SeededRandom } from '@isotherm/runtime'
import { type IsothermEvent, isotherm } from 'isotherm'
import { CALL, CALL_NAME, CALL_VALUE, Calls, type Seconds } from './calls.js'
import type { Contestant } from './contestant.js'
import { FleetWorld, itemAt, KEY, SHARD_MAP, TABLE } from './fleet-world.js'
import { type OpenLoad, type Shape, unitsOf } from './shape.js'
import { writeTogether } from './write-together.js'

/** What one run of a shape gave. */
export interface HealingRun {
  readonly shape: string
  readonly contestant: string
  readonly seed: number
  /** The first second from which on less than 1 % of first attempts were throttled; `undefined`: never. */
  readonly healedAt: number | undefined
  readonly shards: number
  readonly shardsAt: readonly { readonly second: number; readonly shards: number }[]
  readonly offeredUnits: number
  readonly lostUnits: number
  /** The last second in which a write failed after its last attempt; -1 if none did. */
  readonly lastFailureAt: number
  /** Requests to the shard map a second, on average: each is a unit. A process reads it at least once in each `cacheTtl`. */
  readonly shardMapReads: number
  readonly shardMapWrites: number
  /** Write units of moving items between shards. */
  readonly movedUnits: number
  /** Processes of which a request was throttled, and which have emitted no event of that. */
  readonly unsensedProcesses: number
  readonly events: Readonly<Record<string, number>>
  readonly seconds: Seconds
}

const HEALED_SHARE = 0.01

/** A few seconds at the end say little. */
const MIN_HEALED_SECONDS = 10
const WRITES: ReadonlySet<string> = new Set(['PutItem', 'UpdateItem', 'TransactWriteItems'])
const READS: ReadonlySet<string> = new Set(['GetItem', 'BatchGetItem'])

/** Puts one load on one key and measures it. The same seed gives the same run. */
export async function runShape(shape: Shape, contestant: Contestant, seed: number): Promise<HealingRun> {
  let calls: Calls | undefined
  let [shardMapReads, shardMapWrites] = [0, 0]
  let movedUnits = 0
  const followedOperations = shape.write === 'get' ? READS : WRITES
  const world = new FleetWorld(seed, shape, (operation, input, error) => {
    if ((input as { readonly TableName?: string }).TableName === SHARD_MAP) {
      if (operation === 'GetItem') shardMapReads += 1
      else shardMapWrites += 1
    } else if (followedOperations.has(operation)) {
      calls?.answered(input, isThrottle(error))
      if (error === undefined) movedUnits += movesIn(operation, input as PutItemInput) * unitsOf(shape)
    }
  })
  const { clock } = world
  const shardsAt: { second: number; shards: number }[] = []
  const shardsOf = new Map<unknown, number>()
  const unsensed = new Set<number>()
  const sensed = new Set<number>()
  const events: Record<string, number> = {}
  await clock.run(async () => {
    await world.create(shape)
    const from = clock.now()
    const until = from + shape.seconds * 1_000
    const followed = new Calls(shape, from)
    calls = followed
    const onEvent = (event: IsothermEvent, process: number) => {
      events[event.type] = (events[event.type] ?? 0) + 1
      if (event.type === 'throttled') sensed.add(process)
      if (event.type !== 'scaled') return
      shardsOf.set(event.logicalKey, event.to)
      if (event.logicalKey === KEY || shape.keys !== undefined) {
        shardsAt.push({ second: (clock.now() - from) / 1_000, shards: Math.max(...shardsOf.values()) })
      }
    }
    // The first numbers of neighbouring seeds are alike, and the writers would all do the same at first.
    const seeds = new SeededRandom(seed)
    const writers = Array.from({ length: shape.load.writers }, (_, index) => {
      const random = new SeededRandom(Math.floor(seeds.next() * 2 ** 32))
      const db = isotherm(world.client(random), {
        tables: {
          [TABLE]: {
            partitionKey: 'pk',
            sortKey: 'sk',
            suffix: shape.suffix,
            shards: contestant.shards(),
            adopt: shape.adopted !== undefined,
          },
        },
        clock: index === 0 ? aheadBy(clock, shape.calendarAhead ?? 0) : clock,
        random,
        onEvent: (event) => onEvent(event, index),
      })
      return { db, random, index }
    })
    let created = shape.adopted ?? 0
    const write = async ({ db, random, index }: (typeof writers)[number]): Promise<void> => {
      const nextItem = () => (shape.items === 'unique' ? created++ : Math.floor(random.next() * shape.items))
      if (shape.write === 'batch' || shape.write === 'transaction') {
        const failed = await writeTogether(db, shape, followed, { clock, nextItem })
        if (failed > 0) unsensed.add(index)
        return
      }
      const at = nextItem()
      const id = followed.begin(clock.now())
      const isAccepted = await db.send(commandOf(shape, at, id) as PutItemCommand).then(
        () => true,
        () => false,
      )
      if (!isAccepted) unsensed.add(index)
      followed.end(id, isAccepted, clock.now())
    }
    const openLoad = async (writer: (typeof writers)[number], load: OpenLoad): Promise<void> => {
      const underWay = new Set<Promise<void>>()
      while (clock.now() < until) {
        const rate =
          rateAt(load, (clock.now() - from) / 1_000) / load.writers / unitsOf(shape) / (shape.members ?? 1)
        await clock.sleep(-Math.log(1 - writer.random.next()) * (1_000 / rate))
        if (clock.now() >= until) break
        const call = write(writer).finally(() => underWay.delete(call))
        underWay.add(call)
      }
      await Promise.all(underWay)
    }
    const closedLoad = async (writer: (typeof writers)[number], everyMilliseconds: number): Promise<void> => {
      await clock.sleep(writer.random.next() * everyMilliseconds)
      while (clock.now() < until) {
        const begun = clock.now()
        await write(writer)
        await clock.sleep(begun + everyMilliseconds - clock.now())
      }
    }
    const queries = async ({ db }: (typeof writers)[number], everyMilliseconds: number): Promise<void> => {
      while (clock.now() < until) {
        await db.send(newest()).catch(() => {})
        await clock.sleep(everyMilliseconds)
      }
    }
    const { load, queryEveryMilliseconds } = shape
    const [reader] = writers
    await Promise.all([
      ...writers.map((writer) =>
        load.kind === 'open' ? openLoad(writer, load) : closedLoad(writer, load.everyMilliseconds),
      ),
      reader && queryEveryMilliseconds && queries(reader, queryEveryMilliseconds),
    ])
    for (const { db } of writers) db.destroy()
  })
  await world.close()
  if (calls === undefined) throw new Error('A run that began has calls.')
  const { seconds } = calls
  return {
    shape: shape.name,
    contestant: contestant.name,
    seed,
    healedAt: healedAt(seconds),
    shards: shardsAt.at(-1)?.shards ?? initialOf(contestant),
    shardsAt,
    offeredUnits: sum(seconds.offeredUnits),
    lostUnits: sum(seconds.lostUnits),
    lastFailureAt: seconds.lostUnits.findLastIndex((units) => units > 0),
    shardMapReads: shardMapReads / shape.seconds,
    shardMapWrites: shardMapWrites / shape.seconds,
    movedUnits,
    unsensedProcesses: [...unsensed].filter((process) => !sensed.has(process)).length,
    events,
    seconds,
  }
}

/** A clock whose calendar is wrong. */
function aheadBy(clock: Clock, milliseconds: number): Clock {
  return {
    now: () => clock.now() + milliseconds,
    sleep: (...wait) => clock.sleep(...wait),
  }
}

function commandOf(
  { write, itemBytes, keys = 1 }: Shape,
  at: number,
  id: string,
): PutItemCommand | UpdateItemCommand | GetItemCommand {
  const item = itemAt(at, itemBytes, at % keys === 0 ? KEY : `${KEY}${at % keys}`)
  if (write === 'get') {
    return new GetItemCommand({
      TableName: TABLE,
      Key: { pk: item.pk, sk: item.sk },
      ConsistentRead: true,
      ProjectionExpression: CALL_NAME,
      ExpressionAttributeNames: { [CALL_NAME]: id },
      // The projection hides how much is read.
      ReturnConsumedCapacity: 'TOTAL',
    })
  }
  if (write === 'put') return new PutItemCommand({ TableName: TABLE, Item: { ...item, [CALL]: { S: id } } })
  const { pk, sk, text } = item
  return new UpdateItemCommand({
    TableName: TABLE,
    Key: { pk, sk },
    UpdateExpression: `SET #call = ${CALL_VALUE}, #text = :text`,
    ExpressionAttributeNames: { '#call': CALL, '#text': 'text' },
    ExpressionAttributeValues: { [CALL_VALUE]: { S: id }, ':text': text },
  })
}

/** The newest ten items of the key. */
function newest(): QueryCommand {
  return new QueryCommand({
    TableName: TABLE,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: KEY } },
    ScanIndexForward: false,
    Limit: 10,
  })
}

/** How often the request writes the item of a move: the mark once, and each copy of the transaction twice. */
function movesIn(operation: string, input: PutItemInput | UpdateItemInput | TransactWriteItemsInput): number {
  if (operation === 'UpdateItem') return setsMark(input as UpdateItemInput) ? 1 : 0
  const { TransactItems = [] } = input as TransactWriteItemsInput
  return TransactItems.some((action) => action.Delete?.ExpressionAttributeNames?.['#moving']) ? 4 : 0
}

function setsMark({ UpdateExpression, ExpressionAttributeNames = {} }: UpdateItemInput): boolean {
  return (
    UpdateExpression === 'SET #moving = :name' && ExpressionAttributeNames['#moving'] === 'isotherm_moving'
  )
}

function rateAt({ rate }: OpenLoad, second: number): number {
  return rate.findLast(({ fromSecond }) => fromSecond <= second)?.unitsPerSecond ?? 0
}

/** The first second from which on, up to the end, less than the bound of all first attempts are throttled. */
function healedAt({ firstAttempts, firstThrottled }: Seconds): number | undefined {
  let [attempts, throttled] = [0, 0]
  let healed: number | undefined
  for (let second = firstAttempts.length - 1; second >= 0; second--) {
    attempts += firstAttempts[second] ?? 0
    throttled += firstThrottled[second] ?? 0
    const isLong = second <= firstAttempts.length - MIN_HEALED_SECONDS
    if (isLong && throttled < HEALED_SHARE * attempts) healed = second
  }
  return healed
}

function initialOf({ shards }: Contestant): number {
  const value = shards()
  return value.kind === 'fixed' ? value.count() : value.initial
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}

/** A cancelled transaction is throttled if one of its reasons says so. */
function isThrottle(error: unknown): boolean {
  if (error instanceof TransactionCanceledException) {
    return (error.CancellationReasons ?? []).some(({ Code }) => Code !== undefined && REASONS.has(Code))
  }
  return error instanceof Error && THROTTLES.has(error.name)
}

const REASONS: ReadonlySet<string> = new Set(['ThrottlingError', 'ProvisionedThroughputExceeded'])

const THROTTLES: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
])

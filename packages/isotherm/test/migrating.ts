import {
  type AttributeValue,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb'
import type { ShardedTableOptions } from '../src/client/options.js'
import { CARD_KEY } from '../src/protocol/index.js'
import type { MigrationProgress } from '../src/scaling/migrating/migrate.js'
import { dynamicShards } from '../src/scaling/shards.js'
import { watchRequests } from './sent-requests.js'
import { type ShardedEngine, type StoredItem, scanned, shardedEngine } from './sharded-engine.js'

type Suffix = 'calculated' | 'random'
type Options = Pick<ShardedTableOptions, 'suffix' | 'shards'> & Partial<ShardedTableOptions>

/** How long a phase lasts before its work begins, with the times of {@link countOf}. */
export const PHASE_SECONDS = 35

/** How long the old places are read after the last move. */
export const REPLICAS_SECONDS = 3

export const countOf = (suffix: Suffix, initial: number): Options => ({
  suffix,
  shards: dynamicShards({ initial, quiet: false }),
  cacheTtl: '30s',
  lateRequests: '5s',
})

/** Runs the work with an engine without latency, so that the time that passes is that of waits. */
export async function within(
  options: Options,
  work: (engine: ShardedEngine) => Promise<void>,
): Promise<void> {
  const engine = await shardedEngine(options)
  await engine.clock.run(() => work(engine))
  await engine.close()
}

/** Stores an item in a shard, as an earlier version of the application might have. */
export async function store(
  client: DynamoDBClient,
  pk: string,
  sk = 1,
  more: StoredItem = {},
): Promise<void> {
  const Item = { pk: { S: pk }, sk: { N: String(sk) }, ...more }
  await client.send(new PutItemCommand({ TableName: 'log', Item }))
}

/** Stores items with the given options, each in its place. */
export async function fill(db: DynamoDBClient, key: string, items: number): Promise<void> {
  for (let sk = 0; sk < items; sk++) await store(db, key, sk)
}

/** The partition keys and sort keys of the items of the table, in order. */
export async function places({ client }: ShardedEngine): Promise<readonly string[]> {
  return (await scanned(client, 'log')).map(({ pk, sk }) => `${pk?.S} ${sk?.N}`).sort()
}

export async function found(db: DynamoDBClient, key: string): Promise<readonly number[]> {
  const { Items = [] } = await db.send(
    new QueryCommand({
      TableName: 'log',
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: key } },
      ConsistentRead: true,
    }),
  )
  return Items.map(({ sk }) => Number(sk?.N))
}

export async function card({ client }: ShardedEngine): Promise<Record<string, AttributeValue> | undefined> {
  return (await scanned(client, 'log_shard_map')).find(({ pk }) => pk?.S === CARD_KEY)
}

/** A write of the initial state to the card. */
interface CardWrite {
  readonly afterSeconds: number
  readonly phase: string
  /** The stored time of the write, in seconds after the beginning. */
  readonly lastUpdated: number
}

/** Records from now on when the initial state is written to the card. */
export function watchCard({ client, clock }: ShardedEngine): readonly CardWrite[] {
  const from = clock.now() / 1_000
  const writes: CardWrite[] = []
  watchRequests(client, {
    after: ({ operation, input }) => {
      const values = input.ExpressionAttributeValues as StoredItem | undefined
      if (operation !== 'UpdateItem' || values?.[':accepted_initials'] === undefined) return
      writes.push({
        afterSeconds: clock.now() / 1_000 - from,
        phase: values[':phase']?.S ?? 'settled',
        lastUpdated: Number(values[':last_updated']?.N) - from,
      })
    },
  })
  return writes
}

/** Lets each page of the table have so many items, and take so long. Returns the inputs of its scans from now on. */
export function pagesOf({ client, clock }: ShardedEngine, items: number, seconds: number): readonly object[] {
  const inputs: object[] = []
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const { TableName } = args.input as { readonly TableName?: string }
        if (commandName !== 'ScanCommand' || TableName !== 'log') return next(args)
        inputs.push(args.input)
        await clock.sleep(seconds * 1_000)
        return next({ ...args, input: { ...args.input, Limit: items } as never })
      },
    { step: 'initialize', name: 'pages', override: true },
  )
  return inputs
}

/** Options that end the work when it has this progress. */
export function endedAt(isReached: (progress: MigrationProgress) => boolean) {
  const ending = new AbortController()
  const onProgress = (progress: MigrationProgress) => {
    if (isReached(progress)) ending.abort(new Error('ended'))
  }
  return { signal: ending.signal, onProgress }
}

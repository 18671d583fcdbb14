import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type GlobalSecondaryIndex,
} from '@aws-sdk/client-dynamodb'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { type BehaviourLoad, offer, TABLE } from './behaviour-load.js'
import type { BehaviourRun } from './behaviour-run.js'

const SEED = 7
const ONE_PARTITION = { value: 1000, text: '1 partition' }
const BULK = 2500

/** Runs the main behaviours of partitions, each on a separate engine and on virtual time. */
export async function runBehaviours(): Promise<readonly BehaviourRun[]> {
  return [await hotKey(), await newTable(), await burst(), await tenKeys(), await twoValues(), await sparse()]
}

function hotKey(): Promise<BehaviourRun> {
  return run(
    {
      name: 'hot-key',
      title: 'One hot key',
      setting:
        '2,000 write units/s for one item of an on-demand table. One item is one partition, and that is 1,000.',
      limit: ONE_PARTITION,
    },
    {},
    { offered: flat(60, 2000), unitsEach: 40, item: () => ({ pk: 'hot', sk: 'item' }) },
  )
}

function newTable(): Promise<BehaviourRun> {
  return run(
    {
      name: 'new-on-demand-table',
      title: 'An even load on a new on-demand table',
      setting: 'A ramp to 8,000 write units/s over all keys. A new table has four partitions.',
      limit: { value: 4000, text: '4 partitions' },
    },
    {},
    {
      offered: [...ramp(60, 8000), ...flat(60, 8000)],
      unitsEach: 40,
      item: (index) => ({ pk: `key-${index % 9973}`, sk: 'item' }),
    },
  )
}

function burst(): Promise<BehaviourRun> {
  return run(
    {
      name: 'burst',
      title: 'A burst of what was saved',
      setting:
        '400 write units/s for a table of 100, after five idle minutes: 30,000 are saved and last 100 s.',
      limit: { value: 100, text: 'provisioned' },
    },
    {
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: { ReadCapacityUnits: 100, WriteCapacityUnits: 100 },
    },
    {
      offered: [...flat(300, 0), ...flat(180, 400)],
      unitsEach: 4,
      item: (index) => ({ pk: `key-${index % 997}`, sk: 'item' }),
    },
  )
}

function tenKeys(): Promise<BehaviourRun> {
  const random = new SeededRandom(SEED)
  return run(
    {
      name: 'ten-keys',
      title: 'Ten hot keys split until they are carried',
      setting:
        '6,000 write units/s for ten keys with many sort keys each. Partitions that stay hot for 300 s are cut.',
      limit: ONE_PARTITION,
    },
    {},
    {
      offered: flat(900, 6000),
      unitsEach: 100,
      item: (index) => ({ pk: `key-${index % 10}`, sk: String(Math.floor(random.next() * 1e8)) }),
    },
  )
}

const BY_STATUS: GlobalSecondaryIndex = {
  IndexName: 'by_status',
  KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }],
  Projection: { ProjectionType: 'KEYS_ONLY' },
}

function twoValues(): Promise<BehaviourRun> {
  return run(
    {
      name: 'two-value-index',
      title: 'An index of two values holds its table back',
      setting:
        'BatchWriteItem with 25 new users a call, 2,500/s, all of status "new", which is one partition of the index.',
      limit: ONE_PARTITION,
    },
    { GlobalSecondaryIndexes: [BY_STATUS] },
    { ...registration(), item: (index) => ({ pk: `user-${index}`, sk: 'profile', status: 'new' }) },
  )
}

function sparse(): Promise<BehaviourRun> {
  return run(
    {
      name: 'sparse-index',
      title: 'A sparse index does not',
      setting: 'The same calls for the same table, but new users have no status: they are not in the index.',
      limit: ONE_PARTITION,
    },
    { GlobalSecondaryIndexes: [BY_STATUS] },
    { ...registration(), item: (index) => ({ pk: `user-${index}`, sk: 'profile' }) },
  )
}

function registration(): Pick<BehaviourLoad, 'offered' | 'unitsEach' | 'itemsEach'> {
  return { offered: flat(100, BULK), unitsEach: 1, itemsEach: 25 }
}

async function run(
  about: Omit<BehaviourRun, 'offered' | 'accepted' | 'partitions'>,
  table: Partial<CreateTableCommandInput>,
  load: BehaviourLoad,
): Promise<BehaviourRun> {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(SEED) })
  // The chart must show every throttle, so nothing is retried.
  const client = local.client({ maxAttempts: 1 })
  const partitions: number[] = []
  try {
    await client.send(new CreateTableCommand({ ...schema(table), TableName: TABLE }))
    const accepted = await offer(client, clock, load, () => partitions.push(local.partitions(TABLE).length))
    return { ...about, offered: load.offered, accepted, partitions }
  } finally {
    await local.close()
  }
}

function schema(table: Partial<CreateTableCommandInput>): Omit<CreateTableCommandInput, 'TableName'> {
  const indexed = table.GlobalSecondaryIndexes === undefined ? [] : ['status']
  return {
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['pk', 'sk', ...indexed].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S',
    })),
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    ...table,
  }
}

function flat(seconds: number, unitsPerSecond: number): readonly number[] {
  return new Array<number>(seconds).fill(unitsPerSecond)
}

function ramp(seconds: number, unitsPerSecond: number): readonly number[] {
  return Array.from({ length: seconds }, (_, second) => ((second + 1) / seconds) * unitsPerSecond)
}

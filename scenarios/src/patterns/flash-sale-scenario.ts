import { type DynamoDBClient, PutItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb'
import { dynamicShards, ensureShardMap, isotherm } from 'isotherm'
import { inLocalWorld, type LocalWorld } from './local-world.js'
import { type LoadOutcome, offerLoad } from './offered-load.js'
import type { PatternReport, PatternSettings } from './pattern-report.js'
import { plainTable } from './tables.js'
import { withAttempts } from './with-attempts.js'

const TABLE = 'orders'
const SALE = 'product#7'
/** Before the sale begins, and then until its end. There is no ramp: all come at the same second. */
const [CALM_SECONDS, SALE_SECONDS, LATE_SECONDS] = [3, 20, 5]
const PRODUCTS = 40
const USUAL_PER_SECOND = 100
/** Two and a half times what one partition takes. */
const SALE_PER_SECOND = 2_500

interface Outcome extends LoadOutcome {
  found: number
  expected: number
  shards: number
}

/** A client of the orders, and how many shards the product on sale has. */
interface Orders {
  readonly db: DynamoDBClient
  shards(): Promise<number>
}

/** Orders of one product, from one second to the next, in a table whose partition key is the product. */
export async function runFlashSale({ seed, scale = 1, watch }: PatternSettings): Promise<PatternReport> {
  const perSecond = Math.ceil(SALE_PER_SECOND * scale)
  const plain = await play(seed, perSecond, watch, plainOrders)
  const sharded = await play(seed, perSecond, watch, shardedOrders)
  const row = (name: string, key: keyof Outcome) => ({ name, values: [plain[key], sharded[key]] as const })
  return {
    title: `${perSecond} orders a second of one product, for ${SALE_SECONDS} s, from one second to the next`,
    seed,
    columns: ['one key per product', 'sharded by the library'],
    rows: [
      row('orders that were placed', 'offered'),
      row('orders that were acknowledged', 'acknowledged'),
      row('orders that failed after all attempts', 'failed'),
      row(`of them in the last ${LATE_SECONDS} seconds`, 'failedLate'),
      row('shards of the product', 'shards'),
      row("the product's orders that a query finds", 'found'),
      row('of it acknowledged', 'expected'),
    ],
    isGood: sharded.found === sharded.expected && sharded.failedLate === 0,
  }
}

function play(
  seed: number,
  salePerSecond: number,
  watch: PatternSettings['watch'],
  open: (world: LocalWorld) => Promise<Orders>,
): Promise<Outcome> {
  return inLocalWorld({ seed, throttle: true, watch }, async (world) => {
    const { client, clock } = world
    await client.send(
      plainTable(TABLE, 'product', {
        KeySchema: [
          { AttributeName: 'product', KeyType: 'HASH' },
          { AttributeName: 'order', KeyType: 'RANGE' },
        ],
        AttributeDefinitions: ['product', 'order'].map((AttributeName) => ({
          AttributeName,
          AttributeType: 'S',
        })),
      }),
    )
    const { db, shards } = await open(world)
    let expected = 0
    const put = async (at: number, second: number) => {
      const isSale = second >= CALM_SECONDS && at % (salePerSecond + USUAL_PER_SECOND) >= USUAL_PER_SECOND
      const product = isSale ? SALE : `product#${100 + (at % PRODUCTS)}`
      const Item = { product: { S: product }, order: { S: `order#${String(at).padStart(8, '0')}` } }
      await withAttempts(clock, () => db.send(new PutItemCommand({ TableName: TABLE, Item })))
      if (isSale) expected += 1
    }
    const perSecond = Array.from({ length: CALM_SECONDS + SALE_SECONDS }, (_, second) =>
      second < CALM_SECONDS ? USUAL_PER_SECOND : USUAL_PER_SECOND + salePerSecond,
    )
    const outcome = await offerLoad(clock, { perSecond, lateSeconds: LATE_SECONDS, request: put })
    // Partitions have read units again, and caches of the shard map are no longer used.
    await clock.sleep(30_000)
    return { ...outcome, expected, found: await found(db), shards: await shards() }
  })
}

async function found(db: DynamoDBClient): Promise<number> {
  const orders = new Set<string>()
  const query = {
    TableName: TABLE,
    KeyConditionExpression: 'product = :sale',
    ExpressionAttributeValues: { ':sale': { S: SALE } },
  }
  for await (const { Items = [] } of paginateQuery({ client: db }, query)) {
    for (const { order } of Items) orders.add(order?.S ?? '')
  }
  return orders.size
}

async function plainOrders({ client }: LocalWorld): Promise<Orders> {
  return { db: client, shards: async () => 1 }
}

async function shardedOrders({ client, clock, random }: LocalWorld): Promise<Orders> {
  await ensureShardMap(client, { table: TABLE, clock })
  const options = {
    partitionKey: 'product',
    sortKey: 'order',
    suffix: 'random',
    shards: dynamicShards(),
  } as const
  const db = isotherm(client, { clock, random, tables: { [TABLE]: options } })
  const sale = db.shards(TABLE, SALE)
  return { db, shards: async () => (await sale.read())?.shards ?? 1 }
}

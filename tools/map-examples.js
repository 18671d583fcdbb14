// Loads that make each pattern of the heat map, on the engine and on virtual time. Taken by `npm run screenshots`.
import { CreateTableCommand, ListTablesCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { localWithConsole } from '../packages/cli/dist/console/local-with-console.js'
import { SPENT_INDEXES } from '../packages/local/dist/index.js'
import { SeededRandom, VirtualClock } from '../packages/runtime/dist/index.js'

const TABLE = 'orders'
const SECONDS = 20
const BEGIN = Date.UTC(2027, 0, 1, 12)

const many = (count, pk) => Array.from({ length: count }, (_, at) => ({ pk: pk(at) }))
const two = (number) => String(number).padStart(2, '0')
const INDEX = {
  IndexName: 'by_status',
  KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }],
  Projection: { ProjectionType: 'KEYS_ONLY' },
}

/** Each has the items that are put in a second. */
export const MAP_EXAMPLES = [
  {
    file: 'hot-key.png',
    puts: (second) => [
      ...many(second < 5 ? 200 : 1_500, () => 'product/7'),
      ...many(150, (at) => `product/${100 + (at % 24)}`),
    ],
  },
  { file: 'rising-keys.png', puts: (second) => many(300, () => `2027-01-01T12:00:${two(second)}`) },
  {
    file: 'busy-partition.png',
    // Four partitions with a quarter of the keys each.
    puts: () => many(6_000, (at) => `user/${two(at % 60)}`),
  },
  {
    file: 'sudden-rise.png',
    puts: (second) => many(second < 8 ? 100 : 9_000, (at) => `user/${two(at % 40)}`),
  },
  {
    file: 'full-index.png',
    index: INDEX.IndexName,
    options: SPENT_INDEXES,
    table: { GlobalSecondaryIndexes: [INDEX] },
    puts: () => many(1_600, (at) => `job/${at}`).map((item) => ({ ...item, status: 'open' })),
  },
  {
    file: 'table-limit.png',
    table: {
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: { ReadCapacityUnits: 50, WriteCapacityUnits: 50 },
    },
    // The first seconds use up what an idle table has saved.
    puts: (second) => many(second < 2 ? 8_000 : 300, (at) => `user/${two(at % 24)}`),
  },
]

/** Runs an example. @returns the engine, where it listens, and the query of its page */
export async function madeMap({ puts, index, table = {}, options = {} }) {
  const clock = new VirtualClock(BEGIN)
  const { local, site } = localWithConsole({ ...options, clock, random: new SeededRandom(1) })
  const client = local.client({ maxAttempts: 1 })
  // A client's first request looks for its configuration in files, which virtual time cannot wait for.
  await client.send(new ListTablesCommand({}))
  const names = ['pk', 'sk', ...(index === undefined ? [] : ['status'])]
  await client.send(
    new CreateTableCommand({
      TableName: TABLE,
      AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
      ...table,
    }),
  )
  let number = 0
  await clock.run(async () => {
    for (let second = 0; second < SECONDS; second++) {
      const due = BEGIN + second * 1_000
      if (due > clock.now()) await clock.sleep(due - clock.now())
      for (const texts of puts(second)) {
        const item = Object.fromEntries(Object.entries(texts).map(([name, S]) => [name, { S }]))
        const Item = { ...item, sk: { S: String(number++) } }
        await client.send(new PutItemCommand({ TableName: TABLE, Item })).catch(() => undefined)
      }
    }
    await clock.sleep(1_000)
  })
  const { url } = await local.listen({ port: 0, site })
  const span = { from: String(BEGIN), to: String(BEGIN + SECONDS * 1_000) }
  const query = new URLSearchParams({ table: TABLE, ...(index === undefined ? {} : { index }), ...span })
  return { local, address: `${url}/_isotherm/?${query}` }
}

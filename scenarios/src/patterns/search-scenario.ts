import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { type Random, randomInteger, SeededRandom } from '@isotherm/runtime'
import { dynamicShards, ensureShardMap, isotherm } from 'isotherm'
import { defineDirectory, directory, directoryTable } from 'isotherm/search'
import { inLocalWorld, type LocalWorld } from './local-world.js'
import type { PatternReport, PatternSettings } from './pattern-report.js'

const CONTACTS = 12_000
/** Each is an entry in the list of their tenant, of which one partition takes 1,000 a second. */
const CONTACTS_PER_SECOND = 1_600
const ROWS_AT_A_TIME = 16

/** By then the keys that are hot have more shards. */
const FIRST_SHARE = 0.75

/** What is left at the end, of what one partition refuses. */
const FEWER = 100

const INDEX = 'search'
const DEFINITION = defineDirectory({
  table: 'contacts',
  index: INDEX,
  fields: { name: { required: true, search: 'substring' } },
})

/** As much as an account has by default: partitions of a new table would all be hot. */
const WARM = { ReadUnitsPerSecond: 40_000, WriteUnitsPerSecond: 40_000 }

const FAMILIES = ['山田', '佐藤', '鈴木', '高橋', '田中', '伊藤', '渡辺', '中村', '小林', '加藤']
const GIVEN = ['太郎', '花子', '健一', '美咲', '大輔', '陽子', '翔太', '恵子', '直樹', '由美']

interface Outcome {
  imported: number
  throttled: number
  throttledLater: number
  seconds: number
  shards: number
  found: number
  expected: number
  newestFirst: number
}

/** A client of the directory, and how many shards the list of the tenant has. */
interface Store {
  readonly db: DynamoDBClient
  readonly shards: () => Promise<number>
}

/** A new tenant brings its contacts, faster than one partition of the index takes them. */
export async function runSearch({ seed, scale = 1, watch }: PatternSettings): Promise<PatternReport> {
  const contacts = Math.ceil(CONTACTS * scale)
  const plain = await play(seed, contacts, plainStore, watch)
  const sharded = await play(seed, contacts, shardedStore, watch)
  const row = (name: string, key: keyof Outcome) => ({ name, values: [plain[key], sharded[key]] as const })
  return {
    title: `${contacts} contacts of one tenant, ${CONTACTS_PER_SECOND} a second; then a search for 太郎`,
    seed,
    columns: ['index not sharded', 'sharded by the library'],
    rows: [
      row('contacts that were imported', 'imported'),
      row('seconds of the import', 'seconds'),
      row('writes that the index refused', 'throttled'),
      row('of them in the last quarter', 'throttledLater'),
      row("shards of the tenant's list", 'shards'),
      row('contacts that a search found', 'found'),
      row('contacts that match', 'expected'),
      row('of the newest 100 in their order', 'newestFirst'),
    ],
    isGood:
      [plain, sharded].every(
        ({ imported, found, expected }) => imported === contacts && found === expected,
      ) &&
      plain.throttledLater > 0 &&
      sharded.throttledLater * FEWER < plain.throttledLater,
  }
}

function play(
  seed: number,
  contacts: number,
  open: (world: LocalWorld) => Promise<Store>,
  watch: PatternSettings['watch'],
): Promise<Outcome> {
  return inLocalWorld({ seed, throttle: true, withSpentIndexes: true, watch }, async (world) => {
    const { clock, random } = world
    const { db, shards } = await open(world)
    const acme = directory(db, DEFINITION, { clock, random, timeout: '60s' }).tenant('acme')
    const names = Array.from({ length: contacts }, () => drawnName(random))
    let throttledAtFirst = 0
    const from = clock.now()
    async function* rows() {
      for (const [at, name] of names.entries()) {
        if (at === Math.floor(contacts * FIRST_SHARE))
          throttledAtFirst = world.indexThrottles('contacts', INDEX)
        if (at % ROWS_AT_A_TIME === 0) {
          const due = from + (1_000 * at) / CONTACTS_PER_SECOND
          if (due > clock.now()) await clock.sleep(due - clock.now())
        }
        yield { id: `c${at}`, createdAt: at, fields: { name } }
      }
    }
    const { created } = await acme.import(rows(), { concurrency: 60 })
    const seconds = Math.round((clock.now() - from) / 100) / 10
    const throttled = world.indexThrottles('contacts', INDEX)
    // The index has everything by then.
    await clock.sleep(60_000)
    const found = new Set<string>()
    let cursor: string | undefined
    do {
      const page = await acme.search('太郎', { match: 'substring', cursor })
      for (const { item } of page.hits) found.add(item.id)
      cursor = page.cursor
    } while (cursor !== undefined)
    const { items } = await acme.list()
    return {
      imported: created,
      throttled,
      throttledLater: throttled - throttledAtFirst,
      seconds,
      shards: await shards(),
      found: found.size,
      expected: names.filter((name) => name.includes('太郎')).length,
      newestFirst: items.filter(({ id }, at) => id === `c${contacts - 1 - at}`).length,
    }
  })
}

function drawnName(random: Random): string {
  const drawn = (names: readonly string[]) => names[randomInteger(random, 0, names.length - 1)] ?? ''
  return `${drawn(FAMILIES)} ${drawn(GIVEN)}`
}

async function plainStore({ client }: LocalWorld): Promise<Store> {
  await create(client, DEFINITION.names.searchType)
  return { db: client, shards: async () => 1 }
}

async function shardedStore({ client, clock }: LocalWorld): Promise<Store> {
  await create(client, `isotherm_${INDEX}`)
  await ensureShardMap(client, { table: 'contacts', clock })
  const { id, dataType, searchType, searchValue } = DEFINITION.names
  const search = { partitionKey: searchType, sortKey: searchValue, shards: dynamicShards() }
  const db = isotherm(client, {
    clock,
    random: new SeededRandom(7),
    tables: { contacts: { partitionKey: id, sortKey: dataType, indexes: { [INDEX]: search } } },
  })
  const list = db.shards('contacts', 'acme#item', { index: INDEX })
  return { db, shards: async () => (await list.read())?.shards ?? 1 }
}

async function create(client: DynamoDBClient, indexPartitionKey: string): Promise<void> {
  const table = directoryTable(DEFINITION, { indexPartitionKey })
  const GlobalSecondaryIndexes = table.GlobalSecondaryIndexes?.map((index) => ({
    ...index,
    WarmThroughput: WARM,
  }))
  await client.send(new CreateTableCommand({ ...table, WarmThroughput: WARM, GlobalSecondaryIndexes }))
}

import type { CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SPENT_INDEXES } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { engineLane, lightClient } from '@isotherm/simulation/world'
import { dynamicShards, ensureShardMap, isotherm } from 'isotherm'
import { directory, directoryTable } from 'isotherm/search'
import { contactDirectory } from './contact-directory.js'
import { categories, contactRows } from './contact-rows.js'

/** The part of an import that a count of throttles is for. */
export const QUARTERS = 4

/** How an import of one tenant went. */
export interface ImportFigures {
  /** Writes that partitions of the index refused, by quarter of the contacts. */
  readonly throttles: readonly number[]
  /** How long each quarter took, in virtual time. */
  readonly seconds: readonly number[]
  /** Of the list of the tenant, at the end. */
  readonly shards: number
}

export interface MeasuredImport {
  readonly contacts: number
  readonly contactsPerSecond: number
  readonly isSharded: boolean
  readonly onProgress: (text: string) => void
}

const DEFINITION = contactDirectory('prefix')
const { table: TABLE, index: INDEX, names: NAMES } = DEFINITION
const TENANT = 'acme'

/** Each request takes as long as one within a region. */
const NETWORK_MILLISECONDS = 5
/** Rows come by so many at a time, when they are due. */
const ROWS_AT_A_TIME = 16
const BATCHES_AT_A_TIME = 60
const NEWEST = 100
const SETTLED_MILLISECONDS = 60_000
const PROGRESS_ROWS = 10_000

/** As much as an account has by default: partitions of a new table would all be hot. */
const WARM = { ReadUnitsPerSecond: 40_000, WriteUnitsPerSecond: 40_000 }

/** Imports contacts of one tenant at a rate, on virtual time, over an engine that throttles partitions. */
export async function measureImport(wanted: MeasuredImport): Promise<ImportFigures> {
  const clock = new VirtualClock()
  const lane = engineLane({ ...SPENT_INDEXES, clock, random: new SeededRandom(1), metrics: false })
  const deliver = async (operation: string, input: object) => {
    await clock.sleep(NETWORK_MILLISECONDS)
    return lane.execute(operation, input)
  }
  const client = lightClient({ clock, random: new SeededRandom(2), deliver }, 1)
  const throttled = () =>
    lane.local.partitions(TABLE, INDEX).reduce((sum, { write }) => sum + write.throttledRequests, 0)
  let figures: ImportFigures | undefined
  await clock.run(async () => {
    await lane.execute('CreateTable', warmTable(wanted.isSharded))
    const store = wanted.isSharded ? await shardedStore(client, clock) : { db: client, shards: async () => 1 }
    figures = await imported(store, clock, throttled, wanted)
  })
  await lane.local.close()
  if (figures === undefined) throw new Error('The import was not measured.')
  return figures
}

/** A client of the directory, and how many shards the list of the tenant has. */
interface Store {
  readonly db: DynamoDBClient
  readonly shards: () => Promise<number>
}

async function imported(
  { db, shards }: Store,
  clock: VirtualClock,
  throttled: () => number,
  { contacts, contactsPerSecond, onProgress }: MeasuredImport,
): Promise<ImportFigures> {
  const settings = { clock, random: new SeededRandom(3), timeout: '60s' } as const
  const acme = directory(db, DEFINITION, settings).tenant(TENANT)
  for (const { id, name } of categories()) await acme.setTarget('category', id, name)
  const marks = [{ at: clock.now(), throttles: throttled() }]
  const mark = () => marks.push({ at: clock.now(), throttles: throttled() })
  async function* rows() {
    const from = clock.now()
    let at = 0
    for (const row of contactRows(contacts)) {
      if (at >= (contacts * marks.length) / QUARTERS) mark()
      const due = from + (1_000 * at) / contactsPerSecond
      if (at % ROWS_AT_A_TIME === 0 && due > clock.now()) await clock.sleep(due - clock.now())
      yield row
      at += 1
      if (at % PROGRESS_ROWS === 0) onProgress(`${at} contacts read, ${throttled()} writes refused`)
    }
  }
  const { created } = await acme.import(rows(), { concurrency: BATCHES_AT_A_TIME })
  mark()
  await clock.sleep(SETTLED_MILLISECONDS)
  const { items } = await acme.list({ limit: NEWEST })
  const inOrder = items.filter(({ id }, at) => id === `c${contacts - 1 - at}`).length
  if (created !== contacts || inOrder !== Math.min(NEWEST, contacts))
    throw new Error(
      `${created} contacts were created, and ${inOrder} of the newest are listed in their order.`,
    )
  const parts = marks.slice(1).map((end, index) => ({ end, begin: marks[index] ?? end }))
  return {
    throttles: parts.map(({ begin, end }) => end.throttles - begin.throttles),
    seconds: parts.map(({ begin, end }) => (end.at - begin.at) / 1_000),
    shards: await shards(),
  }
}

async function shardedStore(client: DynamoDBClient, clock: VirtualClock): Promise<Store> {
  await ensureShardMap(client, { table: TABLE, clock })
  const search = { partitionKey: NAMES.searchType, sortKey: NAMES.searchValue, shards: dynamicShards() }
  const db = isotherm(client, {
    clock,
    random: new SeededRandom(4),
    tables: {
      [TABLE]: { partitionKey: NAMES.id, sortKey: NAMES.dataType, indexes: { [INDEX]: search } },
    },
  })
  const list = db.shards(TABLE, `${TENANT}#item`, { index: INDEX })
  return { db, shards: async () => (await list.read())?.shards ?? 1 }
}

function warmTable(isSharded: boolean): CreateTableCommandInput {
  const table = directoryTable(DEFINITION, isSharded ? { indexPartitionKey: `isotherm_${INDEX}` } : {})
  const GlobalSecondaryIndexes = table.GlobalSecondaryIndexes?.map((index) => ({
    ...index,
    WarmThroughput: WARM,
  }))
  return { ...table, WarmThroughput: WARM, GlobalSecondaryIndexes }
}

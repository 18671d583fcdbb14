import {
  CreateTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { ensureChunkTable, large } from 'isotherm/large'
import { Ended, farClient } from './far-client.js'
import type { PatternReport, PatternSettings } from './pattern-report.js'

const DOCUMENTS = 10
const PUTS = 120
const READS = 400
/** Of a document; 13 chunks by hand. */
const BYTES = 2_600_000
const CHUNK_BYTES = 200_000
const ENDINGS = 0.01
const HOUR = 3_600_000

/** A way to store documents: as text of one letter, so that a mix of two puts shows. */
interface Store {
  put(id: string, letter: string): Promise<void>
  /** @returns the letters of what was read; `undefined` if there is nothing, or it cannot be read */
  read(id: string): Promise<string | undefined>
}

interface Outcome {
  puts: number
  ended: number
  reads: number
  mixes: number
  unreadable: number
  chunks: number
  needless: number
}

/**
 * Writers put documents of 2.6 MB and are ended in the middle, readers read all the while. By hand, the chunks of a document are overwritten one
 * after the other; `isotherm/large` writes them under a new name and switches.
 */
export async function runLarge({ seed, scale = 1 }: PatternSettings): Promise<PatternReport> {
  const byHand = await play({ seed, scale }, handMade, async () => {})
  const pattern = await play(
    { seed, scale },
    (client, clock) => withPattern(client, clock, seed),
    async (client, clock) => {
      for (let times = 0; times < 2; times++) {
        await clock.sleep(HOUR)
        await documentsOf(client, clock, seed).collect()
      }
    },
  )
  const row = (name: string, key: keyof Outcome) => ({ name, values: [byHand[key], pattern[key]] as const })
  return {
    title: `${DOCUMENTS} documents of 2.6 MB, ${Math.ceil(PUTS * scale)} puts, a writer ends with every hundredth request`,
    seed,
    columns: ['overwritten by hand', 'isotherm/large'],
    rows: [
      row('puts that were acknowledged', 'puts'),
      row('puts that ended half-way', 'ended'),
      row('reads', 'reads'),
      row('reads of a mix of two puts', 'mixes'),
      row('documents that stay a mix', 'unreadable'),
      row('chunks at the end', 'chunks'),
      row('chunks that no document needs', 'needless'),
    ],
    isGood: pattern.mixes === 0 && pattern.unreadable === 0 && pattern.needless === 0,
  }
}

async function play(
  { seed, scale }: Required<Omit<PatternSettings, 'watch'>>,
  open: (client: DynamoDBClient, clock: VirtualClock) => Store,
  tidy: (client: DynamoDBClient, clock: VirtualClock) => Promise<void>,
): Promise<Outcome> {
  const clock = new VirtualClock()
  const random = new SeededRandom(seed)
  const local = createLocal({ clock, random: new SeededRandom(seed + 1), throttle: false })
  const client = local.client()
  const outcome: Outcome = { puts: 0, ended: 0, reads: 0, mixes: 0, unreadable: 0, chunks: 0, needless: 0 }
  // A client's first request looks for its configuration in files, which virtual time cannot wait for.
  await client.send(new ListTablesCommand({}))
  try {
    await clock.run(async () => {
      await client.send(tableOf('documents'))
      await ensureChunkTable(client, { table: 'documents', clock })
      const one = () => `document${Math.floor(random.next() * DOCUMENTS)}`
      const way = (endings: number) => ({ clock, random, endings })
      const [puts, reads] = [Math.ceil(PUTS * scale), Math.ceil(READS * scale)]
      const writers = Array.from({ length: puts }, async (_, at) => {
        await clock.sleep(at * 40 * random.next())
        try {
          await open(farClient(client, way(ENDINGS)), clock).put(one(), letterOf(at))
          outcome.puts += 1
        } catch (error) {
          if (!(error instanceof Ended)) throw error
          outcome.ended += 1
        }
      })
      const readers = Array.from({ length: reads }, async () => {
        await clock.sleep(puts * 40 * random.next())
        const letters = await open(farClient(client, way(0)), clock).read(one())
        outcome.reads += 1
        if ((letters?.length ?? 0) > 1) outcome.mixes += 1
      })
      await Promise.all([...writers, ...readers])
      await tidy(client, clock)
      await judge(client, open(client, clock), outcome)
    })
    return outcome
  } finally {
    client.destroy()
    await local.close()
  }
}

async function judge(client: DynamoDBClient, store: Store, outcome: Outcome): Promise<void> {
  let needed = 0
  for (let number = 0; number < DOCUMENTS; number++) {
    const letters = await store.read(`document${number}`)
    if (letters === undefined) continue
    if (letters.length > 1) outcome.unreadable += 1
    else needed += Math.ceil(BYTES / CHUNK_BYTES)
  }
  for (const table of ['documents', 'documents_chunks']) {
    let cursor: Awaited<ReturnType<typeof scan>>['LastEvaluatedKey']
    do {
      const page = await scan(client, table, cursor)
      outcome.chunks += (page.Items ?? []).filter(({ bytes }) => bytes !== undefined).length
      cursor = page.LastEvaluatedKey
    } while (cursor !== undefined)
  }
  outcome.needless = Math.max(0, outcome.chunks - needed)
}

function scan(
  client: DynamoDBClient,
  TableName: string,
  ExclusiveStartKey: ScanCommand['input']['ExclusiveStartKey'],
) {
  return client.send(new ScanCommand({ TableName, ExclusiveStartKey }))
}

/** As it is often written: chunks with numbers, and an item that says how many. */
function handMade(client: DynamoDBClient): Store {
  const TableName = 'documents'
  const count = Math.ceil(BYTES / CHUNK_BYTES)
  return {
    async put(id, letter) {
      for (let chunk = 0; chunk < count; chunk++) {
        const bytes = { B: Buffer.alloc(CHUNK_BYTES, letter) }
        await client.send(new PutItemCommand({ TableName, Item: { id: { S: `${id}/${chunk}` }, bytes } }))
      }
      await client.send(
        new PutItemCommand({ TableName, Item: { id: { S: id }, chunks: { N: String(count) } } }),
      )
    },
    async read(id) {
      const { Item } = await client.send(new GetItemCommand({ TableName, Key: { id: { S: id } } }))
      if (Item === undefined) return undefined
      const parts = Array.from({ length: count }, async (_, chunk) => {
        const Key = { id: { S: `${id}/${chunk}` } }
        const { Item: part } = await client.send(new GetItemCommand({ TableName, Key }))
        return lettersOf(part?.bytes?.B)
      })
      return [...new Set((await Promise.all(parts)).join(''))].join('')
    },
  }
}

function withPattern(client: DynamoDBClient, clock: VirtualClock, seed: number): Store {
  const documents = documentsOf(client, clock, seed)
  return {
    put: (id, letter) => documents.put({ id, body: Buffer.alloc(BYTES, letter) }),
    async read(id) {
      const item = await documents.get({ id })
      return item?.body instanceof Uint8Array ? lettersOf(item.body) : undefined
    },
  }
}

/** Its own numbers for each process: names of pieces are drawn from them. */
let processes = 0

function documentsOf(client: DynamoDBClient, clock: VirtualClock, seed: number) {
  processes += 1
  return large(client, {
    table: 'documents',
    partitionKey: 'id',
    // A letter repeated is compressed to nothing.
    compression: 'none',
    pieceBytes: CHUNK_BYTES,
    clock,
    random: new SeededRandom(1_000 * seed + processes),
  })
}

function lettersOf(bytes: Uint8Array | undefined): string {
  // Chunks begin and end with whole letters.
  const letters = new Set<number>()
  for (let at = 0; at < (bytes?.length ?? 0); at += 1_000) letters.add(bytes?.[at] ?? 0)
  return String.fromCharCode(...letters)
}

function letterOf(put: number): string {
  return String.fromCharCode('!'.charCodeAt(0) + (put % 90))
}

function tableOf(TableName: string): CreateTableCommand {
  return new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  })
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SeededRandom, SystemClock } from '@isotherm/runtime'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { linesUntilKilled } from '../storage/killed-child.fixture.js'
import { LmdbStorage } from '../storage/lmdb/lmdb-storage.js'
import { Engine } from './engine.js'

const ROUNDS = inject('trials') === 'many' ? 50 : 4
/** Rounds that continue with the data of earlier rounds. Then a new directory begins. */
const ROUNDS_OF_A_DIRECTORY = 10
const WRITERS = 32
const ACCOUNTS = 40
const REGION = 'us-east-1'

/** The compiled engine, run in a separate process. */
const writer = fileURLToPath(new URL('../../crash/engine-writer.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'isotherm-engine-crash-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The writes acknowledged to a killed process: the last count of each writer, and every transaction. */
interface Acknowledged {
  readonly counts: Map<string, number>
  readonly moves: Set<string>
}

/** Loads the engine, kills it some time after a number of acknowledgements, and returns what was acknowledged. */
async function crash(directory: string, lines: number, moreMilliseconds: number): Promise<Acknowledged> {
  const printed = await linesUntilKilled(
    [writer, directory, String(WRITERS), String(ACCOUNTS)],
    lines,
    moreMilliseconds,
  )
  const acknowledged: Acknowledged = { counts: new Map(), moves: new Set() }
  for (const line of printed) {
    const [what, name = '', count] = line.split(' ')
    if (what === 'put') acknowledged.counts.set(name, Number(count))
    else acknowledged.moves.add(`${name}-${count}`)
  }
  return acknowledged
}

type Item = Record<string, { readonly S: string; readonly N: string }>
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers without declaring their shapes.
type Ask = (operation: string, input: object) => Promise<any>

async function scanned(ask: Ask, input: object): Promise<Item[]> {
  const items: Item[] = []
  let ExclusiveStartKey: object | undefined
  do {
    const page = await ask('Scan', { ...input, ExclusiveStartKey })
    items.push(...page.Items)
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey !== undefined)
  return items
}

/** The counts of each writer in the stream, shard by shard, parents first. */
async function streamed(ask: Ask): Promise<Map<string, number[]>> {
  const counts = new Map<string, number[]>()
  const { Streams } = await ask('ListStreams', {})
  const shards: { ShardId: string; ParentShardId?: string }[] = []
  let ExclusiveStartShardId: string | undefined
  do {
    const input = { StreamArn: Streams[0].StreamArn, ExclusiveStartShardId }
    const { StreamDescription: page } = await ask('DescribeStream', input)
    shards.push(...page.Shards)
    ExclusiveStartShardId = page.LastEvaluatedShardId
  } while (ExclusiveStartShardId !== undefined)
  // Identifiers begin with the creation time, and no child is older than its parent.
  for (const { ShardId } of shards.sort((a, b) => (a.ShardId < b.ShardId ? -1 : 1))) {
    const place = { StreamArn: Streams[0].StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }
    let { ShardIterator } = await ask('GetShardIterator', place)
    while (ShardIterator !== undefined) {
      const page = await ask('GetRecords', { ShardIterator })
      for (const { dynamodb } of page.Records) {
        const id = dynamodb.Keys.id.S
        counts.set(id, [...(counts.get(id) ?? []), Number(dynamodb.NewImage.n.N)])
      }
      ShardIterator = page.Records.length === 0 ? undefined : page.NextShardIterator
    }
  }
  return counts
}

async function check(ask: Ask, { counts, moves }: Acknowledged, where: string): Promise<void> {
  const { TableNames: tables } = await ask('ListTables', {})
  if (!tables.includes('ledger')) {
    expect(counts.size, where).toBe(0)
    return
  }
  const items = await scanned(ask, { TableName: 'counters' })
  const byCount = await scanned(ask, { TableName: 'counters', IndexName: 'by-count' })
  const sorted = (all: Item[]) => all.map(({ id, n }) => `${id?.S} ${n?.N}`).sort()
  expect(sorted(byCount), where).toEqual(sorted(items))
  const stream = await streamed(ask)
  const present = new Map(items.map(({ id, n }) => [id?.S ?? '', Number(n?.N)]))
  for (const [id, count] of counts)
    expect(present.get(id), `${where}, writer ${id}`).toBeGreaterThanOrEqual(count)
  for (const [id, count] of present) {
    const told = stream.get(id) ?? []
    expect(told, `${where}, stream of writer ${id}`).toEqual(Array.from({ length: count }, (_, n) => n + 1))
  }
  const accounts = await scanned(ask, { TableName: 'accounts' })
  const ledger = await scanned(ask, { TableName: 'ledger' })
  const entries = new Set(ledger.map(({ entry }) => entry?.S))
  for (const move of moves) expect(entries.has(move), `${where}, transaction ${move}`).toBe(true)
  const balances = new Map(Array.from({ length: ACCOUNTS }, (_, account) => [`${account}`, 100]))
  for (const { from, to } of ledger) {
    balances.set(from?.N ?? '', (balances.get(from?.N ?? '') ?? 0) - 1)
    balances.set(to?.N ?? '', (balances.get(to?.N ?? '') ?? 0) + 1)
  }
  expect(new Map(accounts.map(({ id, balance }) => [id?.S, Number(balance?.N)])), where).toEqual(balances)
}

describe('an engine that is killed under load', () => {
  it(`loses no acknowledged write and leaves no transaction, index or stream inconsistent, ${ROUNDS} times`, async () => {
    const seed = inject('seed')
    const random = new SeededRandom(seed)
    let [puts, moves] = [0, 0]
    for (let round = 0; round < ROUNDS; round++) {
      const directory = join(folder, String(Math.floor(round / ROUNDS_OF_A_DIRECTORY)))
      const acknowledged = await crash(directory, Math.floor(random.next() * 1000), random.next() * 20)
      puts += acknowledged.counts.size
      moves += acknowledged.moves.size
      const clock = new SystemClock()
      const engine = new Engine({
        storage: new LmdbStorage(directory),
        clock,
        random,
        capacity: {},
        throttle: false,
        onPartitionEvent() {},
        stopwatch: clock,
      })
      const ask: Ask = async (operation, input) => engine.execute(operation, input, REGION)
      await check(ask, acknowledged, `seed ${seed}, round ${round}`)
      await engine.close()
    }
    expect(puts).toBeGreaterThan(ROUNDS)
    expect(moves).toBeGreaterThan(0)
  }, 300_000)
})

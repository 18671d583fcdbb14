import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CreateTableCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { transform } from 'esbuild'
import { ensureShardMap } from 'isotherm'
import { poolTable } from 'isotherm/pool'
import { queueTable } from 'isotherm/queue'
import type { PageExample } from './page-examples.js'
import type { Ended } from './run-command.js'
import { environmentFor, runModule } from './run-module.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const REGION = 'eu-central-1'

/** The tables of the guides, as an application has them before it uses the library. */
const TABLES = [
  createTable('orders', ['customer', 'order_id']),
  createTable('audit_log', ['file_path', 'accessed_at:N']),
  createTable('votes', ['campaign', 'voted_at']),
  createTable('files', ['folder', 'file'], { global: { by_status: ['isotherm_by_status', 'changed_at:N'] } }),
  createTable('counters', ['id']),
  createTable('documents', ['id']),
  createTable('tasks', ['id'], { global: { by_queue: ['isotherm_by_queue', 'due'] } }),
  createTable('events', ['tenant', 'id']),
  createTable('app', ['pk', 'sk']),
  new CreateTableCommand(queueTable({ table: 'jobs', partitionKey: 'id' })),
]

/** Tables that one page alone has. */
const TABLES_OF_PAGES: ReadonlyMap<string, CreateTableCommand> = new Map([
  [
    'docs/lint/low-cardinality-index-key.md',
    new CreateTableCommand(poolTable({ table: 'vouchers', partitionKey: 'code' })),
  ],
])

/** A vote as an application stores it that shards by hand. */
function handShardedVote() {
  const [campaign, time] = ['Campaign#101', '2027-01-01T12:00:00Z']
  const shard =
    (BigInt(
      `0x${createHash('md5')
        .update(campaign + time)
        .digest('hex')}`,
    ) %
      10n) +
    1n
  return { campaign: { S: `${campaign}#${shard}` }, voted_at: { S: time } }
}

/** After this time, an example that works until it is told to end gets the signal that it waits for. */
const WORKS_MILLISECONDS = 5_000

/** An engine with the tables of the guides, in which the examples of a page run one after the other. */
export class ExampleTables {
  readonly #local = createLocal({ throttle: false })
  #url = ''

  /** @param page its path from the root of the project */
  static async open(page: string): Promise<ExampleTables> {
    const tables = new ExampleTables()
    tables.#url = (await tables.#local.listen({ port: 0 })).url
    const client = tables.#local.client({ region: REGION })
    for (const command of TABLES) await client.send(command)
    const ofPage = TABLES_OF_PAGES.get(page)
    if (ofPage !== undefined) await client.send(ofPage)
    const Item = { customer: { S: 'acme' }, order_id: { S: '2027-0042' } }
    await client.send(new PutItemCommand({ TableName: 'orders', Item }))
    await client.send(new PutItemCommand({ TableName: 'votes', Item: handShardedVote() }))
    await ensureShardMap(client, { table: 'audit_log' })
    client.destroy()
    return tables
  }

  /**
   * Runs an example as a separate program, in a directory that is empty except for one that stands for buckets.
   *
   * @param modules the folder of packages from which the example finds its own
   */
  async run({ code }: PageExample, modules = 'node_modules'): Promise<Ended> {
    const cache = join(root, modules, '.cache')
    mkdirSync(cache, { recursive: true })
    const folder = mkdtempSync(join(cache, 'guides-'))
    try {
      mkdirSync(join(folder, 'buckets'))
      const module = join(folder, 'example.mjs')
      writeFileSync(module, (await transform(code, { loader: 'ts', format: 'esm' })).code)
      const works = code.includes('SIGTERM') ? { timeout: WORKS_MILLISECONDS } : {}
      return await runModule(module, environmentFor(this.#url, REGION), { cwd: folder, ...works })
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  close(): Promise<void> {
    return this.#local.close()
  }
}

/** Runs an example against new tables. */
export async function runExample(example: PageExample, modules?: string): Promise<Ended> {
  const tables = await ExampleTables.open(example.page)
  try {
    return await tables.run(example, modules)
  } finally {
    await tables.close()
  }
}

import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { transform } from 'esbuild'
import { ensureShardMap } from 'isotherm'
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
]

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

/**
 * Runs an example as a program of its own against tables in a new engine.
 *
 * @param modules the folder of packages from which the example finds its own
 */
export async function runExample({ code }: PageExample, modules = 'node_modules'): Promise<Ended> {
  const cache = join(root, modules, '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'guides-'))
  const local = createLocal({ throttle: false })
  const { url } = await local.listen({ port: 0 })
  const client = local.client({ region: REGION })
  try {
    for (const command of TABLES) await client.send(command)
    const Item = { customer: { S: 'acme' }, order_id: { S: '2027-0042' } }
    await client.send(new PutItemCommand({ TableName: 'orders', Item }))
    await client.send(new PutItemCommand({ TableName: 'votes', Item: handShardedVote() }))
    await ensureShardMap(client, { table: 'audit_log' })
    const module = join(folder, 'example.mjs')
    writeFileSync(module, (await transform(code, { loader: 'ts', format: 'esm' })).code)
    return await runModule(module, environmentFor(url, REGION))
  } finally {
    client.destroy()
    await local.close()
    rmSync(folder, { recursive: true })
  }
}

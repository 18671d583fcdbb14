import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CreateTableCommand, type CreateTableCommandInput, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createLocal } from '@isotherm/local'
import { transform } from 'esbuild'
import type { PageExample } from './page-examples.js'
import type { Ended } from './run-command.js'
import { environmentFor, runModule } from './run-module.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const REGION = 'eu-central-1'

const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' }) as const
const number = (AttributeName: string) => ({ AttributeName, AttributeType: 'N' }) as const
const keys = (hash: string, range: string) => [
  { AttributeName: hash, KeyType: 'HASH' } as const,
  { AttributeName: range, KeyType: 'RANGE' } as const,
]

/** The tables of the guides, as an application has them before it uses the library. */
const TABLES: readonly Omit<CreateTableCommandInput, 'BillingMode'>[] = [
  {
    TableName: 'orders',
    KeySchema: keys('customer', 'order_id'),
    AttributeDefinitions: [text('customer'), text('order_id')],
  },
  {
    TableName: 'audit_log',
    KeySchema: keys('file_path', 'accessed_at'),
    AttributeDefinitions: [text('file_path'), number('accessed_at')],
  },
  {
    TableName: 'files',
    KeySchema: keys('folder', 'file'),
    AttributeDefinitions: [text('folder'), text('file'), text('isotherm_by_status'), number('changed_at')],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by_status',
        KeySchema: keys('isotherm_by_status', 'changed_at'),
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  },
]

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
    for (const table of TABLES)
      await client.send(new CreateTableCommand({ ...table, BillingMode: 'PAY_PER_REQUEST' }))
    const Item = { customer: { S: 'acme' }, order_id: { S: '2027-0042' } }
    await client.send(new PutItemCommand({ TableName: 'orders', Item }))
    const module = join(folder, 'example.mjs')
    writeFileSync(module, (await transform(code, { loader: 'ts', format: 'esm' })).code)
    return await runModule(module, environmentFor(url, REGION))
  } finally {
    client.destroy()
    await local.close()
    rmSync(folder, { recursive: true })
  }
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { ensureShardMap } from 'isotherm'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { APPLICATIONS, bundle, importsOf, installedLibrary } from './bundle.js'
import { environmentFor, runModule } from './run-module.js'

const REGION = 'eu-central-1'
/** A typical Lambda function: the clients outside the handler, a put and a query inside. */
const functionWith = (imports: string, parts = '') => `
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
${imports}

const client = new DynamoDBClient({})
const db = isotherm(DynamoDBDocumentClient.from(client), {
  ${parts}
  tables: { log: { partitionKey: 'path_name', sortKey: 'at', suffix: 'random', shards: dynamicShards({ initial: 4 }) } },
})

export async function handler(event) {
  for (const at of event.times) await db.send(new PutCommand({ TableName: 'log', Item: { path_name: '/a', at } }))
  const { Items } = await db.send(new QueryCommand({
    TableName: 'log',
    KeyConditionExpression: 'path_name = :path',
    ExpressionAttributeValues: { ':path': '/a' },
  }))
  const record = logicalRecord({ dynamodb: { Keys: { path_name: { S: '/a_3' } } } }, { partitionKey: 'path_name' })
  return { items: Items, shard: record.shard, isClient: db instanceof DynamoDBDocumentClient, heat: db.heat()[0].keys[0] }
}
`

const FUNCTIONS = [
  ['isotherm', functionWith("import { dynamicShards, isotherm, logicalRecord } from 'isotherm'")],
  [
    'isotherm/core',
    functionWith(
      "import { appends, dynamicShards, isotherm, logicalRecord, queries } from 'isotherm/core'",
      'parts: [appends, queries],',
    ),
  ],
] as const

/** The same without the library, to measure the SDK alone. */
const FUNCTION_WITHOUT = `
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
export const all = [DynamoDBClient, DynamoDBDocumentClient, PutCommand, QueryCommand]
`

const folder = mkdtempSync(join(tmpdir(), 'isotherm-bundle-'))
const library = await installedLibrary()
afterAll(() => {
  for (const each of [folder, library]) rmSync(each, { recursive: true })
})

/** The packages of a bundle besides the library, by their folders: a second copy of a package has a second folder. */
function packagesIn(inputs: readonly string[]): readonly string[] {
  const folders = inputs.map((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0])
  const known = folders.filter((folder) => folder !== undefined)
  return [...new Set(known.filter((folder) => !folder.endsWith('/isotherm')))].sort()
}

async function createTables(client: DynamoDBClient): Promise<void> {
  await client.send(createTable('log', ['path_name', 'at:N']))
  await ensureShardMap(client, { table: 'log' })
}

const FORMATS = inject('trials') === 'many' ? (['esm', 'cjs'] as const) : (['esm'] as const)

type Format = (typeof FORMATS)[number]
const withSdk = new Map<string, ReturnType<typeof bundle>>()

/** A bundle with the SDK in it. Several tests read the same one. */
function bundledWithSdk(code: string, format: Format): ReturnType<typeof bundle> {
  const key = format + code
  const made = withSdk.get(key) ?? bundle(code, { folder: library, format, external: [] })
  withSdk.set(key, made)
  return made
}

describe.each(FORMATS)('a bundle in the format %s', (format) => {
  it.each(APPLICATIONS)(
    'with $uses of $entry is less than $maxGzipKilobytes KB gzipped, and imports of the SDK only the client',
    async (application) => {
      const { gzipBytes, imports } = await bundle(importsOf(application), { folder: library, format })
      expect(gzipBytes / 1_024).toBeLessThan(application.maxGzipKilobytes)
      expect(imports.filter((name) => !name.startsWith('node:'))).toEqual(['@aws-sdk/client-dynamodb'])
    },
  )

  it.each(FUNCTIONS)('holds the SDK once with %s, as the application alone would', async (_entry, code) => {
    const [withLibrary, without] = await Promise.all(
      [code, FUNCTION_WITHOUT].map((each) => bundledWithSdk(each, format)),
    )
    const sdk = packagesIn(without?.inputs ?? [])
    expect(sdk).toContain('node_modules/@aws-sdk/client-dynamodb')
    expect(packagesIn(withLibrary?.inputs ?? [])).toEqual(sdk)
  })

  it.each(FUNCTIONS)('runs by itself with %s, with the SDK in it', async (entry, application) => {
    const local = createLocal({ throttle: false })
    const { url } = await local.listen({ port: 0 })
    const client = local.client({ region: REGION })
    try {
      await createTables(client)
      const { code } = await bundledWithSdk(application, format)
      const name = entry.replace('/', '-')
      const module = join(folder, `${name}.${format === 'esm' ? 'mjs' : 'cjs'}`)
      writeFileSync(module, code)
      const start = join(folder, `start-${name}-${format}.mjs`)
      const call = 'console.log(JSON.stringify(await handler({ times: [3, 1, 2] })))'
      writeFileSync(start, `import { handler } from ${JSON.stringify(module)}\n${call}\n`)
      const { stdout, stderr } = await runModule(start, environmentFor(url, REGION))
      // The bundle is one long line, and Node prints it with the error.
      expect(stderr.slice(-1_000)).toBe('')
      expect(JSON.parse(stdout)).toEqual({
        items: [1, 2, 3].map((at) => ({ path_name: '/a', at })),
        shard: 3,
        isClient: true,
        // The heat depends on where a window of the machine's clock ends.
        heat: expect.objectContaining({ logicalKey: '/a', shards: 4 }),
      })
    } finally {
      client.destroy()
      await local.close()
    }
  })
})

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installComparisons } from './comparisons.js'
import { PUBLISHED, pack } from './pack.js'
import { runCommand } from './run-command.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'isotherm-clean-project-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The SDK's notice about releases of Node that it will drop is not about the packages. */
const env = { ...process.env, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' }

const PNPM = join(root, 'comparisons/node_modules/pnpm/bin/pnpm.cjs')
/** Nothing is installed that is not asked for, and no scripts of dependencies are run. */
const MANAGERS = {
  npm: ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
  pnpm: [process.execPath, PNPM, 'install', '--ignore-scripts', '--store-dir', join(folder, 'store')],
} as const

const MODULE = `
import { CreateTableCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import { createLocal, VirtualClock } from '@isotherm/local'
import { dynamicShards, ensureShardMap, isotherm } from 'isotherm'

const local = createLocal({ data: 'data' })
const client = local.client()
await client.send(new CreateTableCommand({
  TableName: 'log',
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }, { AttributeName: 'sk', KeyType: 'RANGE' }],
  AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  BillingMode: 'PAY_PER_REQUEST',
}))
await ensureShardMap(client, { table: 'log' })
const log = { partitionKey: 'pk', sortKey: 'sk', suffix: 'random', shards: dynamicShards() }
const db = isotherm(client, { tables: { log } })
await db.send(new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k' }, sk: { S: '1' } } }))
const { Items } = await db.send(new QueryCommand({
  TableName: 'log', KeyConditionExpression: 'pk = :k', ExpressionAttributeValues: { ':k': { S: 'k' } },
}))
console.log(JSON.stringify(Items))
db.destroy()
await local.close()

const clock = new VirtualClock(0)
const inTests = createLocal({ clock })
await clock.run(() => clock.sleep(3_600_000))
console.log(clock.now())
await inTests.close()
`

const COMMON = `
const { isotherm } = require('isotherm')
const { createLocal } = require('@isotherm/local')
console.log(typeof isotherm, typeof createLocal)
`

let tarballs: Readonly<Record<string, string>>
beforeAll(async () => {
  expect(installComparisons()).toBe(true)
  const files = await pack(PUBLISHED, folder)
  const packed = PUBLISHED.map((place, at) => {
    const { name } = JSON.parse(readFileSync(join(root, place, 'package.json'), 'utf8'))
    return [name, `file:${files[at]}`]
  })
  tarballs = Object.fromEntries(packed)
}, 300_000)

describe.each(Object.entries(MANAGERS))('in a clean project of %s', (manager, [command, ...args]) => {
  const cwd = join(folder, manager)
  const run = (script: string, ...more: readonly string[]) =>
    runCommand(process.execPath, [script, ...more], { cwd, env })

  beforeAll(async () => {
    mkdirSync(cwd)
    const { isotherm, '@isotherm/local': local, '@isotherm/cli': cli } = tarballs
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const sdk = devDependencies['@aws-sdk/client-dynamodb'] ?? '^3.1162.0'
    const manifest = {
      private: true,
      dependencies: {
        isotherm,
        '@isotherm/local': local,
        '@isotherm/cli': cli,
        '@aws-sdk/client-dynamodb': sdk,
      },
      // Until they are published, the packages need each other's tarballs, too.
      ...(manager === 'pnpm'
        ? { pnpm: { overrides: tarballs } }
        : { overrides: othersThan(tarballs, ['isotherm', '@isotherm/local', '@isotherm/cli']) }),
    }
    writeFileSync(join(cwd, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(cwd, 'module.mjs'), MODULE)
    writeFileSync(join(cwd, 'common.cjs'), COMMON)
    const { code, stdout, stderr } = await runCommand(command, args, { cwd, env })
    expect({ code, said: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, said: '' })
  }, 300_000)

  it('shards a table in a data directory, as a module', async () => {
    expect(await run('module.mjs')).toEqual({
      code: 0,
      stdout: '[{"pk":{"S":"k"},"sk":{"S":"1"}}]\n3600000\n',
      stderr: '',
    })
  })

  it('loads the packages with require()', async () => {
    expect(await run('common.cjs')).toMatchObject({ code: 0, stdout: 'function function\n' })
  })

  it('has the command', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'))
    const bin = join(cwd, 'node_modules/.bin/isotherm')
    expect(await runCommand(bin, ['--version'], { cwd, env })).toEqual({
      code: 0,
      stdout: `${version}\n`,
      stderr: '',
    })
  })
})

function othersThan(all: Readonly<Record<string, string>>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)))
}

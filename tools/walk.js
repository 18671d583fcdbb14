// Lists the source files that one request runs through, from Node's own coverage of functions that were called.
//
//   node tools/walk.js [--write]     writes the lists into docs/architecture.md instead

import { readFileSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import {
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { dynamicShards, ensureShardMap, isotherm } from '../packages/isotherm/dist/index.js'
import { createLocal } from '../packages/local/dist/index.js'
import { VirtualClock } from '../packages/runtime/dist/index.js'

const PAGE = 'docs/architecture.md'
const [BEGIN, END] = ['<!-- walks: npm run walk -- --write -->', '<!-- /walks -->']
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const KEYS = { partitionKey: 'pk', sortKey: 'sk' }
const ITEMS = 40
/** Long enough for the change to be announced, and too short for it to move items. */
const INTO_THE_CHANGE_MILLISECONDS = 12_000

const coverage = new Session()
coverage.connect()
await coverage.post('Profiler.enable')
await coverage.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

/** The files with a function that `request` called, as paths of sources. The first time warms caches, the second counts. */
async function filesOf(request) {
  await request()
  await coverage.post('Profiler.takePreciseCoverage')
  await request()
  const { result } = await coverage.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ url }) => url.startsWith('file:') && fileURLToPath(url).startsWith(`${ROOT}packages/`))
    .filter(({ functions }) => functions.some(wasCalled))
    .map(({ url }) => fileURLToPath(url).slice(ROOT.length).replace('/dist/', '/src/').replace(/js$/, 'ts'))
    .sort()
}

/** The first function of a file is the file itself, which runs when it is imported. */
function wasCalled({ functionName, ranges }, index) {
  return ranges[0].count > 0 && (index > 0 || functionName !== '')
}

async function createTable(client, TableName) {
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'N' },
      ],
    }),
  )
}

function put(TableName, at) {
  return new PutItemCommand({ TableName, Item: { pk: { S: 'k' }, sk: { N: String(at) } } })
}

async function putOverHttp() {
  const local = createLocal()
  const { url } = await local.listen({ port: 0 })
  const credentials = { accessKeyId: 'any', secretAccessKey: 'any' }
  const client = new DynamoDBClient({ endpoint: url, region: 'us-east-1', credentials })
  await createTable(client, 'plain')
  const files = await filesOf(() => client.send(put('plain', 1)))
  client.destroy()
  await local.close()
  return files
}

/** @param walk takes the sharded client and another process of the same application */
async function withLibrary(table, walk) {
  const clock = new VirtualClock()
  const local = createLocal({ clock, throttle: false })
  const client = local.client()
  const tables = { [table.name]: { ...KEYS, suffix: table.suffix, shards: dynamicShards({ initial: 4 }) } }
  await createTable(client, table.name)
  const files = await clock.run(async () => {
    await ensureShardMap(client, { table: table.name, clock })
    const process = () => isotherm(client, { tables, clock })
    const db = process()
    for (let at = 0; at < ITEMS; at++) await db.send(put(table.name, at))
    const found = await walk(db, process(), clock)
    return found
  })
  await local.close()
  return files
}

function shardedQuery() {
  return withLibrary({ name: 'log', suffix: 'random' }, (db) =>
    filesOf(() =>
      db.send(
        new QueryCommand({
          TableName: 'log',
          KeyConditionExpression: 'pk = :key',
          ExpressionAttributeValues: { ':key': { S: 'k' } },
          Limit: 10,
        }),
      ),
    ),
  )
}

function updateDuringChange() {
  return withLibrary({ name: 'orders', suffix: 'calculated' }, async (db, driver, clock) => {
    const abandoned = driver.shards('orders', 'k').set(8)
    // The engine goes away before the change has come to its end.
    abandoned.catch(() => {})
    await clock.sleep(INTO_THE_CHANGE_MILLISECONDS)
    // All items, so that some of them have two places.
    const files = await filesOf(async () => {
      for (let at = 0; at < ITEMS; at++) await db.send(update(at))
    })
    driver.destroy()
    return files
  })
}

function update(at) {
  return new UpdateItemCommand({
    TableName: 'orders',
    Key: { pk: { S: 'k' }, sk: { N: String(at) } },
    UpdateExpression: 'SET paid = :paid',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':paid': { BOOL: true } },
  })
}

function inFolder(files, folder) {
  return files.filter((file) => file.startsWith(folder))
}

/** A list of files, folder by folder. */
function listed(title, files) {
  const lines = [...byFolder(files)].map(([folder, names]) => {
    const links = names.map((file) => `[${file.slice(folder.length + 1)}](../${file})`)
    return `- \`${folder.replace(/^packages\//, '')}\`: ${links.join(', ')}`
  })
  return `### ${title}: ${files.length} files\n\n${lines.join('\n')}\n`
}

/** `Map.groupBy` is not in Node 20. */
function byFolder(files) {
  const folders = new Map()
  for (const file of files) {
    const folder = file.slice(0, file.lastIndexOf('/'))
    folders.set(folder, [...(folders.get(folder) ?? []), file])
  }
  return folders
}

const walks = [
  listed('A put through the engine, over HTTP', await putOverHttp()),
  listed('A sharded query through the library', inFolder(await shardedQuery(), 'packages/isotherm/')),
  listed(
    'An update through the library while the count changes',
    inFolder(await updateDuringChange(), 'packages/isotherm/'),
  ),
].join('\n')

if (process.argv.includes('--write')) {
  const page = readFileSync(PAGE, 'utf8')
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (from < 0 || to < from) throw new Error(`${PAGE} must hold ${BEGIN} and, behind it, ${END}.`)
  writeFileSync(PAGE, `${page.slice(0, from)}${BEGIN}\n\n${walks}\n${page.slice(to)}`)
} else {
  process.stdout.write(walks)
}
process.exit(0)

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  CreateTableCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { type Clock, SeededRandom, VirtualClock } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { iamUsesOf } from '../../test/iam-uses.js'
import { memoryStore } from '../../test/rotating-log.js'
import { watchRequests } from '../../test/sent-requests.js'
import { warmedUp } from '../../test/warmed-up.js'
import { counter } from './counter/index.js'
import { ensureChunkTable, large } from './large/index.js'
import { pool, poolTable } from './pool/index.js'
import { queue, queueTable } from './queue/index.js'
import { ensureCatalog, rotation } from './rotation/index.js'
import { type DirectoryWork, defineDirectory, directory, directoryTable } from './search/index.js'

const [BEGIN, END] = ['<!-- permissions: npm run pattern-permissions -->', '<!-- /permissions -->']

interface Recorded {
  readonly client: DynamoDBClient
  readonly clock: Clock
  /** Runs a function of the pattern, and records what it needs under its name. */
  step<Result>(name: string, work: () => Promise<Result>): Promise<Result>
}

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `${at}`)

async function useCounter({ client, clock, step }: Recorded): Promise<void> {
  await client.send(createTable('counters', ['id']))
  const votes = counter(client, { table: 'counters', partitionKey: 'id', key: 'votes', initial: 8, clock })
  await step('add(n)', () => votes.add(1))
  await step('add(n, { token })', () => votes.add(1, { token: 'a' }))
  await step('value(), estimate(k)', async () => [await votes.value(), await votes.estimate(2)])
  await step('rollUp()', () => votes.rollUp({ shards: 1 }))
  await step('reset()', () => votes.reset())
}

async function usePool({ client, clock, step }: Recorded): Promise<void> {
  const options = { table: 'vouchers', partitionKey: 'code' }
  await client.send(new CreateTableCommand(poolTable(options)))
  const vouchers = pool(client, { ...options, clock })
  await step('add(members)', () => vouchers.add(numbered(10)))
  await step('add(members, { batches: true })', () => vouchers.add(numbered(30), { batches: true }))
  const [first, second, third] = await step('claim()', () => vouchers.claim(3))
  if (first === undefined || second === undefined || third === undefined)
    throw new Error('Nothing was claimed.')
  await step('release(claim)', () => vouchers.release(first))
  await step('use(claim), useAction(claim)', async () => {
    await vouchers.use(second)
    await client.send(new TransactWriteItemsCommand({ TransactItems: [vouchers.useAction(third)] }))
  })
  await step('size()', () => vouchers.size())
}

async function useQueue({ client, clock, step }: Recorded): Promise<void> {
  const options = {
    table: 'jobs',
    partitionKey: 'id',
    lease: '3s',
    retryDelay: '1s',
    maxAttempts: 2,
  } as const
  await client.send(new CreateTableCommand(queueTable(options)))
  const jobs = queue<string>(client, { ...options, clock, random: new SeededRandom(1) })
  await step('enqueue(payload)', () => jobs.enqueue('good'))
  await step('enqueue(payload, { key }), enqueue(payload, { entity })', async () => {
    await jobs.enqueue('keyed', { key: 'a' })
    for (const payload of ['first', 'second', 'poison']) await jobs.enqueue(payload, { entity: 'b' })
  })
  await step('prepare(payload), in your transaction', async () => {
    const { actions } = await jobs.prepare('prepared')
    await client.send(new TransactWriteItemsCommand({ TransactItems: [...actions] }))
  })
  await step('work(handler)', async () => {
    const stop = new AbortController()
    const working = jobs.work(
      async ({ payload }) => {
        // Longer than a part of the lease, so that it is extended.
        await clock.sleep(4_000)
        if (payload === 'poison') throw new Error('Nobody can do this.')
      },
      { signal: stop.signal },
    )
    await clock.sleep(60_000)
    stop.abort()
    await working
  })
  await step('stats()', () => jobs.stats())
  const [dead] = await step('deadLetters()', () => jobs.deadLetters())
  if (dead === undefined) throw new Error('Nothing has failed.')
  await step('redrive(id)', () => jobs.redrive(dead.id))
}

async function useLarge({ client, clock, step }: Recorded): Promise<void> {
  await client.send(createTable('documents', ['id']))
  await step('ensureChunkTable(client, options)', () =>
    ensureChunkTable(client, { table: 'documents', clock }),
  )
  const documents = large(client, { table: 'documents', partitionKey: 'id', clock })
  const random = new SeededRandom(2)
  // Cannot be compressed.
  const body = () => Uint8Array.from({ length: 900_000 }, () => Math.floor(random.next() * 256))
  await step('put(item)', async () => {
    await documents.put({ id: 'small' })
    for (let at = 0; at < 2; at++) await documents.put({ id: 'large', body: body() })
    const isNew = { condition: { expression: 'attribute_not_exists(id)' } }
    await expect(documents.put({ id: 'large', body: body() }, isNew)).rejects.toThrow()
  })
  await step('get(key)', async () => [
    await documents.get({ id: 'small' }),
    await documents.get({ id: 'large' }),
  ])
  await step('update(key, change)', () => documents.update({ id: 'large' }, { set: { note: 'x' } }))
  await step('delete(key)', () => documents.delete({ id: 'large' }))
  // Its entry in the journal is as its put left it.
  const full = { ...memoryStore(), put: () => Promise.reject(new Error('The disk is full.')) }
  const stopped = large(client, { table: 'documents', partitionKey: 'id', store: full, clock })
  await expect(stopped.put({ id: 'other', body: body() })).rejects.toThrow('The disk is full.')
  await clock.sleep(25 * 3_600_000)
  const collecting = large(client, { table: 'documents', partitionKey: 'id', store: memoryStore(), clock })
  await step('collect()', () => collecting.collect())
}

async function useRotation({ client, clock, step }: Recorded): Promise<void> {
  await step('ensureCatalog(client, options)', () => ensureCatalog(client, { table: 'log', clock }))
  const log = rotation(client, {
    table: 'log',
    partitionKey: 'file',
    sortKey: 'at',
    period: 'day',
    definition: { ProvisionedThroughput: { ReadCapacityUnits: 10, WriteCapacityUnits: 20 } },
    oldCapacity: { read: 1, write: 1 },
    clock,
  })
  const at = new Date(clock.now()).toISOString()
  const key = { file: '/a', at }
  await step('put(item), delete(key), tableFor(item): the first of a period', () => log.put(key))
  await step('put(item), delete(key): the others', async () => {
    await log.put({ ...key, size: 1 })
    await log.delete(key)
    await log.put(key)
  })
  await step('get(key)', () => log.get(key))
  await step('query(options)', () => log.query({ key: '/a', from: at, to: '2100-01-01' }))
  await step('periods()', () => log.periods())
  await clock.sleep(8 * 86_400_000)
  await step('maintain()', () => log.maintain())
  const archived = { store: memoryStore() }
  await step('archive(period), verify(period)', async () => {
    await log.archive(at, archived)
    await log.verify(at, archived)
  })
  await step('drop(period)', () => log.drop(at, archived))
}

async function useSearch({ client, clock, step }: Recorded): Promise<void> {
  const definition = defineDirectory({
    table: 'contacts',
    fields: { name: { required: true, search: 'substring' } },
    links: { category: { search: 'substring' } },
  })
  await client.send(new CreateTableCommand(directoryTable(definition)))
  const work = { table: 'jobs', partitionKey: 'id' }
  await client.send(new CreateTableCommand(queueTable(work)))
  const random = new SeededRandom(1)
  const jobs = queue<DirectoryWork>(client, { ...work, clock, random })
  const contacts = directory(client, definition, { jobs, clock, random })
  const acme = contacts.tenant('acme')
  await step('create(fields), update(id, change), delete(id)', async () => {
    await acme.create({ name: 'Ann Smith' }, { id: 'a' })
    await acme.create({ name: 'Bob Smith' }, { id: 'b' })
    await acme.update('a', { name: 'Ann Jones' })
    await acme.delete('b')
  })
  await clock.sleep(5_000)
  await step('get(id)', () => acme.get('a'))
  await step('list(), search(text)', async () => [
    await acme.list(),
    await acme.search('an'),
    await acme.search('nn'),
  ])
  await step('setTarget(kind, target, name), link(id, kind, target), unlink(id, kind, target)', async () => {
    await acme.setTarget('category', 'vip', 'VIP')
    await acme.link('a', 'category', 'vip')
    await acme.unlink('a', 'category', 'vip')
    await acme.link('a', 'category', 'vip')
    await acme.setTarget('category', 'vip', 'Very important')
  })
  await step('handle, for jobs.work', () => jobs.work(contacts.handle, { untilEmpty: true }))
  await step('import(items)', async () => {
    await acme.import([{ id: 'c', fields: { name: 'Cleo' }, links: { category: ['vip'] } }])
    await acme.import([{ id: 'c', fields: { name: 'Dora' } }])
  })
  await clock.sleep(5_000)
  const { Items: stored = [] } = await client.send(new ScanCommand({ TableName: 'contacts' }))
  const found = stored.find(({ ID, DataType }) => ID?.S === 'acme#a' && DataType?.S !== 'item')
  if (found?.ID === undefined || found.DataType === undefined) throw new Error('There is no search item.')
  const Key = { ID: found.ID, DataType: found.DataType }
  await client.send(new DeleteItemCommand({ TableName: 'contacts', Key }))
  const strange = { SearchType: { S: 'acme#~xyz' }, SearchValue: { S: '000000000#a' } }
  const Item = { ...Key, DataType: { S: '~xyz' }, ...strange }
  await client.send(new PutItemCommand({ TableName: 'contacts', Item }))
  await step('check({ repair: true })', () => contacts.check({ repair: true }))
}

/** A clock that goes on when somebody sleeps. */
function handSetClock(): Clock {
  let now = Date.now()
  return {
    now: () => now,
    sleep: async (milliseconds) => {
      now += milliseconds
    },
  }
}

const GUIDES = [
  { page: 'counter', use: useCounter },
  { page: 'pool', use: usePool },
  { page: 'queue', use: useQueue },
  { page: 'large', use: useLarge },
  // Compression takes real time, for which virtual time does not wait.
  { page: 'rotation', use: useRotation, clock: handSetClock },
  { page: 'search', use: useSearch },
]

async function recorded(
  use: (recorded: Recorded) => Promise<void>,
  given?: Clock,
): Promise<ReadonlyMap<string, Set<string>>> {
  const virtual = new VirtualClock()
  const clock = given ?? virtual
  const engine = { random: new SeededRandom(1), throttle: false, metrics: false } as const
  const local = createLocal(given === undefined ? { ...engine, clock: virtual } : engine)
  const client = await warmedUp(local.client())
  const needed = new Map<string, Set<string>>()
  let current: Set<string> | undefined
  watchRequests(client, {
    before: (request) => {
      for (const { action, resource } of iamUsesOf(request)) current?.add(`${resource} ${action}`)
    },
  })
  const run = () =>
    use({
      client,
      clock,
      step: async (name, work) => {
        const own = new Set<string>()
        needed.set(name, own)
        current = own
        const result = await work()
        current = undefined
        return result
      },
    })
  await (given === undefined ? virtual.run(run) : run())
  await local.close()
  return needed
}

/** `GetItem`, `PutItem` on `log` */
function cell(needed: ReadonlySet<string>): string {
  const byResource = new Map<string, string[]>()
  for (const each of needed) {
    const [resource = '', action = ''] = each.split(' ')
    const shown = resource.replace(/\d{4}-\d{2}-\d{2}$/, '*')
    const actions = byResource.get(shown) ?? []
    const text = `\`${action.replace('dynamodb:', '')}\``
    if (!actions.includes(text)) actions.push(text)
    byResource.set(shown, actions)
  }
  return [...byResource]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, actions]) => `${actions.sort().join(', ')} on \`${resource}\``)
    .join('; ')
}

it.each(GUIDES)(
  'the guide of $page states the actions that each function needs',
  async ({ page, use, clock }) => {
    const needed = await recorded(use, clock?.())
    const rows = [...needed].map(([name, uses]) => `| \`${name}\` | ${cell(uses)} |`)
    const path = fileURLToPath(new URL(`../../../../docs/${page}.md`, import.meta.url))
    const text = readFileSync(path, 'utf8')
    const [head = '', rest = ''] = text.split(BEGIN)
    const tail = rest.slice(rest.indexOf(END))
    expect(tail).not.toBe('')
    const table = ['| function | actions |', '|---|---|', ...rows].join('\n')
    await expect(`${head}${BEGIN}\n\n${table}\n\n${tail}`).toMatchFileSnapshot(path)

    const made = operationsIn(fileURLToPath(new URL(page, import.meta.url)))
    const shown = new Set(
      [...needed.values()].flatMap((uses) => [...uses].map((use) => use.split('dynamodb:')[1])),
    )
    expect([...made].filter((operation) => !shown.has(operation))).toEqual([])
  },
)

/** The operations of the commands that a folder makes, besides transactions, whose members have actions of their own. */
function operationsIn(folder: string): ReadonlySet<string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const texts = files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll(/^\s*(\*|\/\/).*$/gm, ''))
  const made = texts.flatMap((text) =>
    [...text.matchAll(/\bnew ([A-Z]\w+)Command\(/g)].map(([, name = '']) => name),
  )
  return new Set(made.filter((name) => !name.startsWith('Transact') && !name.endsWith('Object')))
}

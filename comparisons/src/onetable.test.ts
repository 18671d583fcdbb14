// biome-ignore-all lint/suspicious/noTemplateCurlyInString: OneTable's own templates are ordinary strings.
import { GetItemCommand, QueryCommand, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import { type Entity, type Model, Table } from 'dynamodb-onetable'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Served, serve } from './served.fixture.js'

const schema = {
  format: 'onetable:1.1.0',
  version: '0.0.1',
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gs1: { hash: 'gs1pk', sort: 'gs1sk', project: 'keys', follow: true },
    ls1: { sort: 'name', type: 'local', project: 'all' },
  },
  models: {
    Account: {
      pk: { type: String, value: 'account:${id}' },
      sk: { type: String, value: 'account:' },
      id: { type: String, generate: 'ulid', validate: /^[0-9A-Z]{26}$/i },
      name: { type: String, required: true },
      status: { type: String, default: 'active' },
    },
    User: {
      pk: { type: String, value: 'account:${accountId}' },
      sk: { type: String, value: 'user:${email}' },
      accountId: { type: String, required: true },
      email: { type: String, required: true, validate: /^\S+@\S+$/ },
      handle: { type: String, unique: true },
      name: { type: String, required: true },
      role: { type: String, enum: ['user', 'admin'], required: true, default: 'user' },
      balance: { type: Number, default: 0 },
      tags: { type: Array, default: [] },
      joined: { type: Date },
      gs1pk: { type: String, value: 'email:${email}' },
      gs1sk: { type: String, value: 'user:' },
    },
    Session: {
      pk: { type: String, value: 'session:${id}' },
      sk: { type: String, value: 'session:' },
      id: { type: String, required: true },
      expires: { type: Date, ttl: true, required: true },
    },
  },
  params: { isoDates: true, timestamps: true },
} as const

type Account = Entity<typeof schema.models.Account>
type User = Entity<typeof schema.models.User>
type Session = Entity<typeof schema.models.Session>

let served: Served
let table: Table<typeof schema>
let Accounts: Model<Account>
let Users: Model<User>
let Sessions: Model<Session>

beforeAll(async () => {
  served = await serve()
  table = new Table({ client: served.client, name: 'onetable', schema, partial: true })
  await table.createTable()
  Accounts = table.getModel<Account>('Account')
  Users = table.getModel<User>('User')
  Sessions = table.getModel<Session>('Session')
})

afterAll(() => served.stop())

const newAccount = async (name: string): Promise<string> => String((await Accounts.create({ name })).id)

describe('OneTable', () => {
  it('creates its table with the indexes of its schema', async () => {
    expect(await table.exists()).toBe(true)
    expect(await table.describeTable()).toMatchObject({
      Table: {
        TableStatus: 'ACTIVE',
        GlobalSecondaryIndexes: [{ IndexName: 'gs1', Projection: { ProjectionType: 'KEYS_ONLY' } }],
        LocalSecondaryIndexes: [{ IndexName: 'ls1', Projection: { ProjectionType: 'ALL' } }],
      },
    })
  })

  it('creates once, with generated ids, defaults and timestamps', async () => {
    const account = await Accounts.create({ name: 'Acme' })
    const id = String(account.id)
    expect(id).toMatch(/^[0-9A-Z]{26}$/)
    expect(account).toMatchObject({ name: 'Acme', status: 'active' })
    const read = await Accounts.get({ id })
    expect(read).toMatchObject({ id, name: 'Acme', status: 'active' })
    await expect(Accounts.create({ id, name: 'Again' })).rejects.toThrow(/already exists|condition/i)
    expect(await Accounts.get({ id })).toMatchObject({ name: 'Acme' })
  })

  it('holds unique fields unique, through changes and removals', async () => {
    const accountId = await newAccount('unique')
    const ada = { accountId, email: 'ada@example.com' }
    const eve = { accountId, email: 'eve@example.com' }
    await Users.create({ ...ada, name: 'Ada', handle: 'countess' })
    await expect(Users.create({ ...eve, name: 'Eve', handle: 'countess' })).rejects.toMatchObject({
      code: 'UniqueError',
    })
    expect(await Users.get(eve)).toBeUndefined()
    await Users.create({ ...eve, name: 'Eve', handle: 'listener' })
    await expect(Users.update({ ...eve, handle: 'countess' }, { return: 'get' })).rejects.toMatchObject({
      code: 'UniqueError',
    })
    await Users.update({ ...ada, handle: 'lovelace' }, { return: 'get' })
    expect(await Users.update({ ...eve, handle: 'countess' }, { return: 'get' })).toMatchObject({
      name: 'Eve',
      handle: 'countess',
    })
    await Users.remove(ada)
    await Users.create({ ...ada, name: 'Another', handle: 'lovelace' })
    expect(await Users.get(ada)).toMatchObject({ name: 'Another' })
  })

  it('updates with set, add, push and remove, and with conditions', async () => {
    const accountId = await newAccount('updates')
    const key = { accountId, email: 'grace@example.com' }
    await Users.create({ ...key, name: 'Grace', joined: new Date('2026-01-02T03:04:05.678Z') })
    await Users.update(key, { add: { balance: 10 } })
    await Users.update(key, { push: { tags: ['navy', 'cobol'] } })
    await Users.update(key, { set: { 'tags[0]': 'sea' } })
    const updated = await Users.update({ ...key, role: 'admin' }, { where: '${balance} < {11}' })
    expect(updated).toMatchObject({ role: 'admin', balance: 10, tags: ['sea', 'cobol'] })
    expect(updated?.joined).toEqual(new Date('2026-01-02T03:04:05.678Z'))
    await expect(
      Users.update({ ...key, role: 'user' }, { where: '${balance} > {11}', throw: true }),
    ).rejects.toThrow(/condition/i)
    await Users.update(key, { remove: ['joined'] })
    expect(await Users.get(key)).not.toHaveProperty('joined')
    await Users.upsert({ ...key, name: 'Admiral', role: 'admin' })
    expect(await Users.get(key)).toMatchObject({ name: 'Admiral', role: 'admin' })
  })

  it('finds by prefix, by range, by filter and by count', async () => {
    const accountId = await newAccount('finds')
    for (const name of ['ann', 'anton', 'bert', 'cleo']) {
      await Users.create({ accountId, name, email: `${name}@example.org`, balance: name.length })
    }
    const names = (found: readonly { name?: string }[]) => found.map(({ name }) => name)
    expect(names(await Users.find({ accountId, sk: { begins: 'user:an' } } as never))).toEqual([
      'ann',
      'anton',
    ])
    expect(
      names(await Users.find({ accountId, name: { between: ['anton', 'c'] } } as never, { index: 'ls1' })),
    ).toEqual(['anton', 'bert'])
    expect(names(await Users.find({ accountId }, { where: '${balance} >= {4}', reverse: true }))).toEqual([
      'cleo',
      'bert',
      'anton',
    ])
    expect((await Users.find({ accountId, role: 'user' }, { count: true })).count).toBe(4)
  })

  it('follows an index of keys only to the whole item', async () => {
    const accountId = await newAccount('follow')
    await Users.create({ accountId, name: 'Linus', email: 'linus@example.net', balance: 7 })
    expect(await Users.get({ email: 'linus@example.net' }, { index: 'gs1', follow: true })).toMatchObject({
      accountId,
      balance: 7,
    })
  })

  it('pages to the end and back', async () => {
    const accountId = await newAccount('pages')
    const batch = {}
    for (let index = 0; index < 20; index += 1) {
      await table.putItem(
        {
          pk: `account:${accountId}`,
          sk: `user:${String(index).padStart(2, '0')}`,
          _type: 'User',
          accountId,
          email: `${index}@pages.org`,
          name: `n${index}`,
          role: 'user',
        },
        { batch, hidden: true },
      )
    }
    await table.batchWrite(batch)
    const emails: unknown[] = []
    let next: object | undefined
    let pages = 0
    do {
      const page = await Users.find({ accountId }, { limit: 6, ...(next === undefined ? {} : { next }) })
      emails.push(...page.map(({ email }) => email))
      next = page.next
      pages += 1
    } while (next !== undefined && pages < 10)
    expect(emails).toEqual(Array.from({ length: 20 }, (_, index) => `${index}@pages.org`))
    expect(pages).toBe(4)
  })

  it('writes and reads batches and transactions, whole or not at all', async () => {
    const [first, second] = [await newAccount('first'), await newAccount('second')]
    const transaction = {}
    await Accounts.update({ id: first, status: 'closed' }, { transaction })
    await Accounts.update({ id: second, name: 'merged' }, { transaction })
    await table.transact('write', transaction)
    const batch = {}
    await Accounts.get({ id: first }, { batch })
    await Accounts.get({ id: second }, { batch })
    const read = await table.batchGet<Account>(batch, { parse: true })
    expect(read.map(({ name, status }) => `${name} ${status}`).sort()).toEqual([
      'first closed',
      'merged active',
    ])
    const refused = {}
    await Accounts.update({ id: first, status: 'open' }, { transaction: refused })
    await Accounts.create({ id: second, name: 'taken' }, { transaction: refused })
    await expect(table.transact('write', refused)).rejects.toMatchObject({
      code: 'TransactionCanceledException',
      context: { err: { CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }] } },
    })
    expect(await Accounts.get({ id: first })).toMatchObject({ status: 'closed' })
  })

  it('fetches several models of a partition at once', async () => {
    const accountId = await newAccount('collection')
    await Users.create({ accountId, name: 'Only', email: 'only@example.com' })
    const items = await table.fetch(['Account', 'User'], { pk: `account:${accountId}` })
    expect(items.Account).toHaveLength(1)
    expect(items.User?.[0]).toMatchObject({ name: 'Only' })
    expect((await Users.scan({}, { where: '${name} = {Only}' })).map(({ email }) => email)).toEqual([
      'only@example.com',
    ])
  })

  it('stores times to live in seconds, as the service wants them', async () => {
    await served.client.send(
      new UpdateTimeToLiveCommand({
        TableName: 'onetable',
        TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
      }),
    )
    const expires = new Date('2099-01-01T00:00:00Z')
    await Sessions.create({ id: 's1', expires })
    const { Item } = await served.client.send(
      new GetItemCommand({ TableName: 'onetable', Key: marshall({ pk: 'session:s1', sk: 'session:' }) }),
    )
    expect(Item?.expires).toEqual({ N: String(expires.getTime() / 1000) })
    expect((await Sessions.get({ id: 's1' }))?.expires).toEqual(expires)
  })

  it('leaves accounts out of the index that only users have keys of', async () => {
    const accountId = await newAccount('sparse')
    const { Count } = await served.client.send(
      new QueryCommand({
        TableName: 'onetable',
        IndexName: 'gs1',
        KeyConditionExpression: 'gs1pk = :pk',
        ExpressionAttributeValues: marshall({ ':pk': `email:${accountId}` }),
      }),
    )
    expect(Count).toBe(0)
    expect(await Accounts.get({ id: accountId })).toBeDefined()
  })

  it('removes and deletes its table when told so twice', async () => {
    const temporary = new Table({ client: served.client, name: 'temporary', schema, partial: true })
    await temporary.createTable()
    await expect(temporary.deleteTable('yes')).rejects.toThrow()
    await temporary.deleteTable('DeleteTableForever')
    expect(await temporary.exists()).toBe(false)
  })
})

import { DeleteItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { fixedShards, isotherm as library } from 'isotherm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isotherm } from '../isotherm.fixture.js'

const local = createLocal({ throttle: false })
let endpoint = ''

beforeAll(async () => {
  endpoint = (await local.listen({ port: 0 })).url
  const client = local.client()
  for (const name of ['log', 'plain']) await client.send(createTable(name, ['pk', 'at']))
  const db = library(client, {
    tables: { log: { partitionKey: 'pk', sortKey: 'at', suffix: 'calculated', shards: fixedShards(4) } },
  })
  for (let at = 0; at < 40; at++) {
    const Item = { pk: { S: '/sale' }, at: { S: `${at}` } }
    await db.send(new PutItemCommand({ TableName: 'log', Item }))
  }
})
afterAll(() => local.close())

const unshard = (...args: readonly string[]) =>
  isotherm('unshard', '--table', 'log', '--to', 'plain', '--endpoint', endpoint, '--rate', '10000', ...args)

describe('isotherm unshard', () => {
  it('states the price: alone with --dry-run, and before it begins', async () => {
    const flags = ['--suffix', 'calculated', '--fixed', '4']
    const price =
      'log: about 40 items to read, 41 read units and 1 s. Each item that plain lacks is written, too.\n'
    expect(await unshard(...flags, '--dry-run')).toEqual({ code: 0, out: price, err: '' })
    expect((await local.client().send(new ScanCommand({ TableName: 'plain' }))).Count).toBe(0)
    const json = JSON.parse((await unshard(...flags, '--dry-run', '--json')).out)
    expect(json).toEqual({ table: 'log', items: 40, readUnits: 41, seconds: 1 })
    expect((await unshard(...flags)).err).toBe(price)
    for (const Key of (await local.client().send(new ScanCommand({ TableName: 'plain' }))).Items ?? []) {
      await local.client().send(new DeleteItemCommand({ TableName: 'plain', Key }))
    }
  })

  it('copies the items under their logical keys, and says so', async () => {
    const { code, out } = await unshard('--suffix', 'calculated', '--fixed', '4')
    expect(out).toContain('plain has the items of log. 40 items read, 40 copied.')
    expect(code).toBe(0)
    const { Items = [] } = await local.client().send(new ScanCommand({ TableName: 'plain' }))
    expect(Items).toHaveLength(40)
    expect(new Set(Items.map(({ pk }) => pk?.S))).toEqual(new Set(['/sale']))
  })

  it('copies only what has changed, and deletes what is gone', async () => {
    await local
      .client()
      .send(new PutItemCommand({ TableName: 'plain', Item: { pk: { S: '/sale' }, at: { S: 'gone' } } }))
    const { out } = await unshard('--suffix', 'calculated', '--fixed', '4', '--delete-others', '--json')
    expect(JSON.parse(out)).toEqual({ table: 'log', to: 'plain', scanned: 40, copied: 0, deleted: 1 })
    await local
      .client()
      .send(new PutItemCommand({ TableName: 'plain', Item: { pk: { S: '/sale' }, at: { S: 'gone' } } }))
    const text = await unshard('--suffix', 'calculated', '--fixed', '4', '--delete-others')
    expect(text.out).toContain('40 items read, 0 copied. 1 was deleted.')
  })

  it.each([
    [['--suffix', 'calculated', '--fixed', '5'], /5/],
    [['--suffix', 'calculated', '--fixed', '4', '--delimiter', '#'], /#/],
    [['--fixed', '4'], /--suffix is missing/],
    [['--suffix', 'random', '--fixed', '4', '--initial', '2'], /--initial is '2'/],
    [['--suffix', 'calculated', '--fixed', '4', '--to', 'log'], /--to is "log"; it must be another table/],
  ])('refuses %j', async (flags, reason) => {
    const { code, err } = await unshard(...flags)
    expect(err).toMatch(reason)
    expect(code).not.toBe(0)
  })
})

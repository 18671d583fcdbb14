import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { sampleLogPath } from '@isotherm/scenarios'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isotherm } from '../isotherm.fixture.js'
import { refusingEndpoint, withoutPermission } from '../refusing-endpoint.fixture.js'

const local = createLocal()
const folder = mkdtempSync(join(tmpdir(), 'isotherm-plan-'))
const trace = join(folder, 'trace.jsonl')
let endpoint = ''

beforeAll(async () => {
  endpoint = (await local.listen({ port: 0 })).url
  const traced = createLocal({ trace })
  for (const engine of [local, traced]) {
    const client = engine.client()
    for (const name of ['orders', 'idle']) await client.send(createTable(name, ['pk', 'sk']))
    await client.send(createTable('sessions', ['id']))
    for (let index = 0; index < 100; index++) {
      const Item = { pk: { S: index % 4 ? 'big' : `small-${index}` }, sk: { S: `${index}` } }
      await client.send(new PutItemCommand({ TableName: 'orders', Item }))
    }
    await client.send(new PutItemCommand({ TableName: 'sessions', Item: { id: { S: 'a' } } }))
  }
  await traced.close()
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await local.close()
})

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

async function planned(...args: readonly string[]) {
  const { code, out, err } = await isotherm('plan', ...args, '--json')
  expect(err.replace(/^isotherm: .* read units\n$/, '')).toBe('')
  expect(code).toBe(0)
  return JSON.parse(out)
}

describe('isotherm plan', () => {
  it('prints a page: the verdict, the steps, shards with their odds and price, and code', async () => {
    const { code, out } = await isotherm('plan', '--hot-writes', '2600', '--table', 'audit_log')
    expect(out).toMatch(/^audit_log: Shard the table\.\nThe hottest key gets 2,600 write units a second/)
    expect(out).toMatch(/1\. Set warm throughput to/)
    expect(out).toContain('shards meet')
    expect(out).toMatch(/list prices of \d{4}-\d\d-\d\d/)
    expect(out).toContain("'audit_log': {")
    expect(out).toContain('Items of 1,024 bytes are assumed')
    expect(out).toContain('The table audit_log was not read, because rates are given; add --region')
    expect(code).toBe(0)
  })

  it('rehearses on request', async () => {
    const { code, out, err } = await isotherm(
      'plan',
      '--hot-writes',
      '130',
      '--item-bytes',
      '10000',
      '--verify',
    )
    expect(out).toContain(
      'Rehearsal on the local engine: the peak for 6 s, 10 times with other key names, seed 1',
    )
    expect(out).toMatch(/draws without throttles\D+0 of 10\D+10 of 10/)
    expect(err).toContain('rehearsing the plan')
    expect(code).toBe(0)
  })

  it('reads the log in the package', async () => {
    const plan = await planned('--from', sampleLogPath, '--rate', '3000', '--item-bytes', '300')
    expect(plan.verdict).toBe('shard')
    expect(plan.keys[0]).toMatchObject({ key: '/favicon.ico', writeUnits: 950 })
    expect(plan.notes[0]).toMatch(/^From 10,000 requests for 1,498 keys in 3\.5 days, 3000 times as dense/)
  })

  it('has the name that is given beside a log', async () => {
    const plan = await planned('--from', sampleLogPath, '--table', 'visits')
    expect(plan.input.table).toBe('visits')
  })

  it('reads the columns that are named, operations and sizes included', async () => {
    const log = file('log.csv', `t,who,what,size\n${'1,a,PutItem,2000\n1,b,GetItem,2000\n'.repeat(40)}`)
    const columns = 'time=t,key=who,operation=what,bytes=size'
    const plan = await planned(
      '--from',
      log,
      '--columns',
      columns,
      '--rate',
      '1800',
      '--page',
      '1',
      '--window',
      '60',
    )
    expect(plan.item).toMatchObject({ bytes: 2000, writeUnits: 2 })
    expect(plan.keys[0]).toMatchObject({ key: 'a', writeUnits: 2400 })
  })

  it('reads a recorded trace', async () => {
    const plan = await planned('--from', trace, '--item-bytes', '100')
    expect(plan.input.table).toBe('orders')
    expect(plan.keys[0].key).toBe('big')
    expect(plan.keys[0].writeShare).toBeCloseTo(0.75, 1)
  })

  it('reads a table: its definition, a sample and CloudWatch', async () => {
    const plan = await planned('--table', 'orders', '--endpoint', endpoint, '--hours', '1')
    expect(plan).toMatchObject({ verdict: 'do-not-shard', reason: 'fits', partitions: { now: 4 } })
    expect(plan.input).toMatchObject({ partitionKey: 'pk', sortKey: 'sk' })
    expect(plan.keys[0]).toMatchObject({ key: 'big' })
    const hot = await planned('--table', 'orders', '--endpoint', endpoint, '--hot-writes', '2000')
    expect(hot).toMatchObject({ verdict: 'shard', input: { partitionKey: 'pk', partitionKeyType: 'S' } })
    expect(hot.code).toContain('adopt: true')
  })

  it('says that a key is hot if a partition has throttled, because the sample can miss it', async () => {
    await using small = createLocal({ capacity: { partitionWriteUnitsPerSecond: 2 } })
    const { url } = await small.listen({ port: 0 })
    const client = small.client({ maxAttempts: 1 })
    await client.send(createTable('events', ['pk', 'sk']))
    const items = Array.from({ length: 20 }, (_, at) => ({ pk: { S: 'a' }, sk: { S: `${at}` } }))
    await Promise.allSettled(
      items.map((Item) => client.send(new PutItemCommand({ TableName: 'events', Item }))),
    )
    const { notes } = await planned('--table', 'events', '--endpoint', url, '--hours', '1')
    expect(notes[0]).toMatch(/^Partitions throttled 1\d requests in these hours, so a key is hot, or was/)
    const quiet = await planned('--table', 'orders', '--endpoint', endpoint, '--hours', '1')
    expect(quiet.notes.join()).not.toContain('throttled')
  })

  it('does not shard a table without a sort key, of which each key has one item', async () => {
    const rates = ['--table', 'sessions', '--hot-writes', '2000', '--item-bytes', '100']
    const singleItems = { verdict: 'do-not-shard', reason: 'single-item', input: { partitionKey: 'id' } }
    expect(await planned(...rates, '--endpoint', endpoint, '--hours', '1')).toMatchObject(singleItems)
    expect(await planned(...rates, '--from', trace)).toMatchObject(singleItems)
    expect(await planned(...rates, '--from', trace, '--order', 'rising')).toMatchObject({
      reason: 'better-key',
    })
  })

  it('takes other prices', async () => {
    const region =
      '{"millionWrites":1,"millionReads":1,"writeUnitHour":1,"readUnitHour":1,"storageGbMonth":1}'
    const prices = file('prices.json', `{"date":"2026-01-01","source":"ours","regions":{"here":${region}}}`)
    const plan = await planned('--hot-writes', '100', '--prices', prices)
    expect(plan.prices.unsharded).toMatchObject({ region: 'here', date: '2026-01-01', onDemand: 262.8 })
  })

  it.each([
    ['nothing to plan for', [], /no traffic to plan for/],
    [
      'a part above its whole',
      ['--writes', '10', '--hot-writes', '20'],
      /--hot-writes is 20, more than the 10/,
    ],
    ['an unknown column', ['--from', sampleLogPath, '--columns', 'time=when'], /has no column 'when'/],
    [
      'columns in another form',
      ['--from', sampleLogPath, '--columns', 'when'],
      /--columns is 'when'; it must be time=NAME/,
    ],
    [
      'the kind of operations of a trace',
      ['--from', trace, '--as', 'reads'],
      /--as is for logs; a trace has/,
    ],
    [
      'columns without a log',
      ['--hot-writes', '1', '--columns', 'time=a'],
      /--columns has no effect without --from/,
    ],
    ['a missing log', ['--from', '/no/such'], /cannot be read \(ENOENT\)/],
    ['a region without prices', ['--hot-writes', '1', '--price-region', 'mars-1'], /have no region mars-1/],
    ['an order that does not exist', ['--hot-writes', '1', '--order', 'up'], /must be rising or spread/],
    [
      'a trace of another table',
      ['--from', trace, '--table', 'carts'],
      /for the table carts; it has them for orders/,
    ],
  ] as const)('says in one sentence what is wrong with %s, and exits with 2', async (_, args, message) => {
    const { code, out, err } = await isotherm('plan', ...args)
    expect(err).toMatch(message)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
    expect({ code, out }).toEqual({ code: 2, out: '' })
  })

  it('needs no figures of a table where rates are given', async () => {
    // A sample would be a figure, too.
    const rates = ['--writes', '3000', '--hot-writes', '2600', '--sample', '0']
    const plan = await planned('--table', 'idle', '--endpoint', endpoint, ...rates)
    expect(plan.notes).toContain('CloudWatch has no figures of idle in the last 24 hours.')
    const { keys, otherWritesPerSecond, meanWritesPerSecond } = plan.input
    expect(keys).toMatchObject([{ writesPerSecond: 2_600 }])
    expect({ otherWritesPerSecond, meanWritesPerSecond }).toEqual({ otherWritesPerSecond: 400 })
  })

  it('uses what it may read of a table, and names the permissions that are missing', async () => {
    const refusing = await refusingEndpoint(endpoint, withoutPermission('GetMetricData', 'Scan'))
    const args = ['plan', '--table', 'orders', '--endpoint', refusing.url]
    const measured = await isotherm(...args)
    expect(measured.err).toMatch(
      /metrics of orders cannot be read: .*GetMetricData\. Allow these .* Give --writes/,
    )
    expect(measured.code).toBe(1)
    const { code, out, err } = await isotherm(...args, '--hot-writes', '2000', '--json')
    refusing.close()
    expect(err).toMatch(/orders cannot be sampled: .*Scan\. Allow these .* Only the definition is used/)
    const { input, notes } = JSON.parse(out)
    expect(input).toMatchObject({ table: 'orders', keys: [{ writesPerSecond: 2_000 }] })
    expect(notes).toContainEqual(expect.stringMatching(/^The metrics of orders cannot be read/))
    expect(notes).toContainEqual(expect.stringMatching(/^No items were sampled/))
    expect(code).toBe(0)
  })

  it('says that a table has no figures yet', async () => {
    const { code, err } = await isotherm('plan', '--table', 'idle', '--endpoint', endpoint)
    expect(err).toMatch(/CloudWatch has no figures of idle/)
    expect(code).toBe(1)
  })
})

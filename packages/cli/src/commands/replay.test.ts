import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GetItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, SystemClock, VirtualClock } from '@isotherm/runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isotherm } from '../isotherm.fixture.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-replay-'))
const trace = join(folder, 'today.jsonl')
const target = createLocal()
let endpoint = ''

beforeAll(async () => {
  const clock = new VirtualClock()
  const local = createLocal({ clock, random: new SeededRandom(1), trace })
  const client = local.client({ maxAttempts: 1 })
  await client.send(createTable('votes', ['candidate', 'voter']))
  for (let index = 0; index < 400; index++) {
    const candidate = { S: index % 4 ? 'a' : `b${index}` }
    const Item = {
      candidate,
      voter: { S: `${index}` },
      bytes: { B: new Uint8Array([index % 256]) },
      text: { S: 'x'.repeat(16_000) },
    }
    await client.send(new PutItemCommand({ TableName: 'votes', Item })).catch(() => {})
    if (index % 10 === 0)
      await client.send(new GetItemCommand({ TableName: 'votes', Key: { candidate, voter: { S: '1' } } }))
    clock.advance(5)
  }
  await local.close()
  endpoint = (await target.listen({ port: 0 })).url
  await target.client().send(createTable('votes', ['candidate', 'voter']))
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await target.close()
})

function design(name: string, content: object): string {
  const path = join(folder, `${name}.json`)
  writeFileSync(path, JSON.stringify(content))
  return path
}

const sharded = design('sharded', { votes: { suffix: { attribute: 'candidate', shards: 16 } } })
const small = design('small', {
  votes: {
    BillingMode: 'PROVISIONED',
    ProvisionedThroughput: { ReadCapacityUnits: 10, WriteCapacityUnits: 20 },
  },
})

describe('isotherm replay', () => {
  it('prints the price of a month and the requests over time', async () => {
    const { code, out } = await isotherm('replay', trace)
    expect(out).toMatch(/│ a month +│ +│ +[\d,]+\.\d\d │/)
    expect(out).toMatch(/throttled\/s, replayed [▁▂▃▄▅▆▇█]+\n/)
    expect(code).toBe(0)
  })

  it('compares designs side by side, with the price of each', async () => {
    const { code, out } = await isotherm('replay', trace, '--compare', sharded, small, '--json')
    const { runs } = JSON.parse(out)
    expect(runs.map(({ name }: { name: string }) => name)).toEqual(['as recorded', 'sharded', 'small'])
    const [recorded, more, less] = runs.map(
      ({ report }: never) =>
        (report as { tables: { replayed: { throttled: number } }[] }).tables[0]?.replayed.throttled,
    )
    expect(more).toBeLessThan(recorded)
    expect(recorded).toBeLessThan(less)
    // 10 read and 20 write units for 730 hours.
    expect(runs[2].prices).toEqual({ 'us-east-1/votes': 10.44 })
    expect(code).toBe(0)
    const text = (await isotherm('replay', trace, '--compare', sharded, small)).out
    expect(text).toMatch(/│ +│ as recorded │ +sharded │ +small │/)
    expect(text).toMatch(/│ billing +│ +on demand │ +on demand │ +provisioned │/)
    expect(text).toMatch(/│ a month +│ .* │ +10\.44 │/)
  })

  it('writes a chart', async () => {
    const chart = join(folder, 'chart.svg')
    await isotherm('replay', trace, '--compare', sharded, '--chart', chart)
    const svg = readFileSync(chart, 'utf8')
    expect(svg).toMatch(/^<svg .*<\/svg>\n$/s)
    for (const name of ['as recorded', 'sharded']) expect(svg).toContain(`>${name}</text>`)
  })

  it('sends the requests to an endpoint, bytes included, as fast as asked', async () => {
    const chart = join(folder, 'live.svg')
    const { code, out } = await isotherm(
      'replay',
      trace,
      '--endpoint',
      endpoint,
      '--rate',
      '4',
      '--json',
      '--chart',
      chart,
    )
    const report = JSON.parse(out)
    expect(report.requests).toBe(440)
    expect(report.accepted + report.throttled).toBe(440)
    expect(report.seconds).toBeGreaterThan(0.4)
    expect(report.units.write).toBeGreaterThan(1_000)
    expect(report.leftOut).toEqual({ CreateTable: 1 })
    expect(existsSync(chart)).toBe(true)
    const { Items = [] } = await target.client().send(new ScanCommand({ TableName: 'votes', Limit: 5 }))
    for (const { voter, bytes } of Items) expect(bytes?.B).toEqual(new Uint8Array([Number(voter?.S) % 256]))
    expect(code).toBe(0)
  })

  it('prints what an endpoint did', async () => {
    const { out } = await isotherm('replay', trace, '--endpoint', endpoint, '--rate', '20')
    expect(out).toMatch(/^Sent 440 requests to http:\/\/127\.0\.0\.1:\d+\/ in [\d.]+ s, 20 times as dense\n/)
    expect(out).toMatch(/latency +[\d.,]+ ms at the median/)
    expect(out).toContain('Not sent: 1 CreateTable.')
  })

  it('prints what was sent before Ctrl-C, and exits with 130', async () => {
    const ended = async (...args: readonly string[]) => {
      const listeners = process.listenerCount('SIGINT')
      const replaying = isotherm('replay', trace, '--endpoint', endpoint, '--rate', '0.1', ...args)
      while (process.listenerCount('SIGINT') === listeners) await new SystemClock().sleep(20)
      await new SystemClock().sleep(200)
      process.emit('SIGINT', 'SIGINT')
      return replaying
    }
    const { code, out } = await ended('--json')
    const report = JSON.parse(out)
    expect(report.endedEarly).toBe(true)
    expect(report.requests).toBeLessThan(440)
    expect(report.accepted + report.throttled).toBe(report.requests)
    expect(code).toBe(130)
    expect((await ended()).out).toContain('Ended early: the rest of the trace was not sent.')
  })

  it('says that an endpoint does not know its credentials, and exits with 1', async () => {
    const server = createServer((_request, response) => {
      response.statusCode = 400
      response.end(JSON.stringify({ __type: 'x#ExpiredTokenException', message: 'The token is expired.' }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const args = ['--endpoint', `http://127.0.0.1:${port}`, '--rate', '100']
    const { code, err } = await isotherm('replay', trace, ...args)
    expect(err).toMatch(/ has executed no request of .*: ExpiredTokenException: .* Give valid credentials:/)
    expect(code).toBe(1)
    server.closeAllConnections()
    server.close()
  })

  it.each(['http://127.0.0.1:9', 'https://127.0.0.1:9'])(
    'says in one sentence why %s has executed no request, and exits with 1',
    async (nowhere) => {
      const { code, out, err } = await isotherm('replay', trace, '--endpoint', nowhere, '--rate', '100')
      expect(err).toMatch(
        /^isotherm: https?:\/\/127\.0\.0\.1:9\/ has executed no request of .*: ECONNREFUSED: .*\. Check --end/,
      )
      expect({ code, out }).toEqual({ code: 1, out: '' })
    },
  )

  it.each([
    [
      'a table that the trace does not have',
      ['--design', design('wrong', { vote: {} })],
      /names the table vote, which the trace does not have; it has votes/,
    ],
    [
      'the same among several designs',
      ['--compare', sharded, design('wrong2', { carts: {} })],
      /names the table carts/,
    ],
    [
      'a design with an endpoint',
      ['--endpoint', 'http://127.0.0.1:1', '--design', sharded],
      /--design cannot be used with --endpoint/,
    ],
    ['a design beside several', ['--design', sharded, '--compare', small], /cannot be used together/],
    ['a region without prices', ['--price-region', 'mars-1'], /have no region mars-1/],
  ] as const)('refuses %s, and exits with 2', async (_, args, message) => {
    const { code, out, err } = await isotherm('replay', trace, ...args)
    expect(err).toMatch(message)
    expect({ code, out }).toEqual({ code: 2, out: '' })
  })

  it('says in one sentence that a chart cannot be written', async () => {
    const { code, err } = await isotherm('replay', trace, '--chart', '/no/such/folder/chart.svg')
    expect(err).toBe('isotherm: The file /no/such/folder/chart.svg cannot be written (ENOENT).\n')
    expect(code).toBe(1)
  })
})

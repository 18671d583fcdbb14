import { request } from 'node:http'
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal, type Endpoint, type Local } from '@isotherm/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localSource } from '../source/local-source.js'
import { type ConsoleSite, consoleSite } from './console-site.js'

let local: Local
let site: ConsoleSite
let endpoint: Endpoint

beforeAll(async () => {
  local = createLocal({ heat: true })
  site = consoleSite({ source: localSource(local), pages: '/nowhere' })
  endpoint = await local.listen({ port: 0, site })
  const client = local.client()
  for (const name of ['shop', 'shop_shard_map']) await client.send(createTable(name, ['id']))
  await client.send(new PutItemCommand({ TableName: 'shop', Item: { id: { S: 'sale_1' } } }))
})
afterAll(() => local.close())

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Requests as any program can make them: `fetch` would not send a foreign host. */
function send(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${endpoint.url}${path}`, { method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

describe('the API of the console', () => {
  it('lists tables, and knows which have sharded keys', async () => {
    const { status, text } = await send('/_isotherm/v1/tables')
    expect(status).toBe(200)
    expect(JSON.parse(text).tables).toMatchObject([
      { region: 'us-east-1', name: 'shop', delimiter: '_' },
      { region: 'us-east-1', name: 'shop_shard_map', delimiter: '' },
    ])
  })

  it('has the heat of a table', async () => {
    // A second is part of the history when it is over.
    const map = async () => JSON.parse((await send('/_isotherm/v1/heat?table=shop&delimiter=_')).text)
    await expect.poll(map).toMatchObject({
      version: 1,
      seconds: 1,
      rows: [{ label: 'sale', writeUnits: 1 }],
    })
  })

  it.each([
    ['', 'table is missing'],
    ['table=shop&by=colour', "by is 'colour'. Give one of key, partition, prefix."],
    ['table=shop&rows=0', "rows is '0'. Give a number from 2 to 1500."],
    ['table=shop&columns=many', "columns is 'many'"],
    ['table=shop&from=5&to=5', 'from is 5. Give a time before the end of the span, which is 5.'],
    ['table=shop&colour=red', 'colour is unknown. Known are region, table'],
    [`table=${'x'.repeat(3_000)}`, 'table has 3000 characters'],
  ])('refuses the parameters %s, with the rule and the cure', async (parameters, message) => {
    const { status, text } = await send(`/_isotherm/v1/heat?${parameters}`)
    expect(status).toBe(400)
    expect(JSON.parse(text).error).toMatchObject({
      code: 'request.parameter',
      message: expect.stringContaining(message),
    })
  })

  it('answers who asks for the head of its updates, and does not count it among those that follow them', async () => {
    for (let times = 0; times < 40; times++) {
      const { status, headers, text } = await send('/_isotherm/v1/live', {}, 'HEAD')
      expect({ status, text }).toEqual({ status: 200, text: '' })
      expect(headers['content-type']).toBe('text/event-stream')
    }
  })

  it('names tables and paths that there are not', async () => {
    const missing = await send('/_isotherm/v1/heat?table=shops')
    expect(missing.status).toBe(404)
    expect(missing.text).toContain('There is no table shops in us-east-1.')
    expect((await send('/_isotherm/v1/heap')).text).toContain(
      'There are tables, heat, partitions, advice, shards, process, events, scenarios and live.',
    )
    expect((await send('/_isotherm/../v1/tables')).status).toBe(404)
    expect((await send('/_isotherm/v1/tables', {}, 'POST')).status).toBe(405)
  })

  it('has the partitions of a table, as shares of all hashes', async () => {
    const { partitions } = JSON.parse((await send('/_isotherm/v1/partitions?table=shop')).text)
    expect(partitions).toHaveLength(4)
    expect(partitions[1]).toMatchObject({ id: 1, from: 0.25, to: 0.5, write: { throttledRequests: 0 } })
    expect((await send('/_isotherm/v1/partitions?table=shop&rows=1')).text).toContain('rows is unknown')
  })

  it('has the findings of the linter', async () => {
    const { status, text } = await send('/_isotherm/v1/advice?table=shop')
    expect(status).toBe(200)
    const { table, findings } = JSON.parse(text)
    expect(table).toBe('shop')
    expect(findings).toMatchObject([
      { rule: 'uncapped-on-demand', level: 'note', cure: { text: expect.any(String) } },
    ])
  })

  it('serves pages of this origin only', async () => {
    const tables = '/_isotherm/v1/tables'
    const { port } = endpoint
    expect((await send(tables, { host: `attacker.example:${port}` })).status).toBe(403)
    expect((await send(tables, { origin: 'http://attacker.example' })).status).toBe(403)
    expect((await send(tables, { origin: 'http://localhost:3000' })).status).toBe(403)
    expect((await send(tables, { 'sec-fetch-site': 'same-site' })).status).toBe(403)
    const own = await send(tables, { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' })
    expect(own.status).toBe(200)
    expect(own.headers).not.toHaveProperty('access-control-allow-origin')
    const link = await send('/_isotherm/', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })
    expect(link.status).toBe(200)
  })

  it('lets nothing inline or foreign run', async () => {
    const { headers } = await send('/_isotherm/')
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  it('says how the page is built where it is not', async () => {
    expect((await send('/_isotherm/')).text).toContain('npm run build')
  })

  it('sends a browser from the endpoint to the page, and programs the health', async () => {
    expect(await send('/', { accept: 'text/html,*/*' })).toMatchObject({
      status: 302,
      headers: { location: '/_isotherm/' },
    })
    expect((await send('/')).text).toBe('healthy: dynamodb.us-east-1.amazonaws.com\n')
  })

  it('is not served where requests must be signed', async () => {
    const credentials = [{ accessKeyId: 'a', secretAccessKey: 'b' }]
    const guarded = await local.listen({ port: 0, credentials, site })
    const answer = await fetch(`${guarded.url}/_isotherm/v1/tables`)
    expect(answer.status).toBe(404)
  })
})

describe('live updates', () => {
  it('have the time and events, for a limited number of pages', async () => {
    const open = new AbortController()
    const follow = () => fetch(`${endpoint.url}/_isotherm/v1/live`, { signal: open.signal })
    const [first, ...others] = await Promise.all(Array.from({ length: 32 }, follow))
    expect(first?.headers.get('content-type')).toBe('text/event-stream')
    expect(others.every(({ status }) => status === 200)).toBe(true)
    const refused = await follow()
    expect(refused.status).toBe(503)
    expect(await refused.text()).toContain('32 pages follow this console')
    site.event({ type: 'scaled', at: 1, table: 'shop', key: 'sale', from: 1, to: 4, reason: 'hot' })
    const reader = first?.body?.getReader()
    let text = ''
    while (!text.includes('event: event')) {
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done) break
      text += new TextDecoder().decode(value)
    }
    expect(text).toMatch(/^event: tick\ndata: \{"now":\d/)
    expect(text).toContain('"type":"scaled","at":1,"table":"shop","key":"sale","from":1,"to":4')
    open.abort()
    const again = async () => {
      const page = new AbortController()
      const { status } = await fetch(`${endpoint.url}/_isotherm/v1/live`, { signal: page.signal })
      page.abort()
      return status
    }
    await expect.poll(again).toBe(200)
  })
})

import { request } from 'node:http'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { ScenarioRunner } from '../scenarios/scenario-runner.js'
import { localSource } from '../source/local-source.js'
import { consoleSite } from './console-site.js'

const numRuns = inject('trials') === 'many' ? 3_000 : 200

const RATE = { name: 'rate', flag: '--rate <n>', description: 'a second', default: 10, min: 1, max: 100 }
const runner: ScenarioRunner = {
  scenarios: async () => [
    {
      name: 'sale',
      title: 'Sale',
      description: 'many orders',
      modes: ['rehearsal'],
      parameters: [{ ...RATE, isWhole: true }],
    },
  ],
  run: async () => ({ title: 'a sale', isGood: true, sides: [], rows: [] }),
}

const local = createLocal({ heat: true })
let port = 0
beforeAll(async () => {
  const site = consoleSite({ source: localSource(local), scenarios: runner, pages: '/nowhere' })
  port = (await local.listen({ port: 0, site })).port
  const client = local.client()
  for (const name of ['shop', 'shop_shard_map']) await client.send(createTable(name, ['id']))
})
afterAll(() => local.close())

interface Drawn {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What the console answers; an error if it closes the connection instead. */
function send({
  method,
  path,
  headers,
  body,
}: Drawn): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const all = { ...headers, 'content-length': Buffer.byteLength(body) }
    const sent = request({ host: '127.0.0.1', port, method, path, headers: all }, (response) => {
      const status = response.statusCode ?? 0
      // It has no end.
      if (response.headers['content-type'] === 'text/event-stream') {
        sent.destroy()
        return resolve({ status, text: '' })
      }
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve({ status, text }))
    })
    sent.on('error', reject)
    sent.setTimeout(20_000, () => sent.destroy(new Error('There is no answer.')))
    sent.end(body)
  })
}

const PATHS = 'tables heat partitions advice shards process events live scenarios scenarios/run'.split(' ')
const PARAMETERS =
  'region table index by from to last columns rows delimiter separator open firstKey lastKey after __proto__'.split(
    ' ',
  )
const VALUES = 'shop us-east-1 key partition prefix _ / 1 60 1500 -1 1e3 9007199254740991 NaN'.split(' ')

const values = fc.oneof(
  fc.constantFrom('', ...VALUES),
  fc.double().map(String),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const TABLE: [string, string] = ['table', 'shop']
const queries = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(fc.constantFrom(...PARAMETERS), values), { maxLength: 5 }))
  .map(([isNamed, pairs]) => new URLSearchParams([...(isNamed ? [TABLE] : []), ...pairs]))

const urls = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom(...PATHS), queries)
      .map(([path, query]) => `/_isotherm/v1/${path}?${query}`),
  },
  { weight: 1, arbitrary: fc.stringMatching(/^[!-~]{0,20}$/).map((path) => `/_isotherm/${path}`) },
)

const EVENT = { at: 1, table: 'shop', key: '/sale', from: 1, to: 4, reason: 'hot', by: 'w' }
const RUN = { scenario: 'sale', mode: 'rehearsal', parameters: { rate: 5 } }
/** As JSON, because the depth may be more than JSON.stringify() can write. */
const junk = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.constantFrom(
    '-1',
    '1e300',
    '"__proto__"',
    `"${'x'.repeat(5_000)}"`,
    `${'['.repeat(7_000)}${']'.repeat(7_000)}`,
  ),
)

/** Bodies with another value in one member, or with one more member, and anything else. */
const changed = fc
  .tuple(
    fc.constantFrom<object>(EVENT, RUN),
    fc.nat(),
    fc.constantFrom('', 'index', 'more', '__proto__'),
    junk,
  )
  .map(([whole, at, another, value]) => {
    const names = Object.keys(whole)
    const name = another === '' ? names[at % names.length] : another
    const others = Object.entries(whole).filter(([each]) => each !== name)
    const members = others.map(([each, own]) => `${JSON.stringify(each)}:${JSON.stringify(own)}`)
    return `{${[...members, `${JSON.stringify(name)}:${value}`].join(',')}}`
  })
const bodies = fc.oneof(
  { weight: 4, arbitrary: changed },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.constant('x'.repeat(20_000)) },
)

const headers = fc.record(
  {
    'x-isotherm-console': fc.constant('1'),
    'content-type': fc.constantFrom('application/json', 'text/plain', 'application/json; charset=utf-8', ';'),
    origin: fc.constantFrom('http://attacker.example', 'null', `http://127.0.0.1`),
    'sec-fetch-site': fc.constantFrom('same-origin', 'cross-site', 'none'),
  },
  { requiredKeys: [] },
)
const own = fc.constant({ 'x-isotherm-console': '1', 'content-type': 'application/json' })

const requests: fc.Arbitrary<Drawn> = fc.oneof(
  fc.record({
    method: fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'),
    path: urls,
    headers,
    body: fc.constantFrom('', '{}'),
  }),
  fc.record({
    method: fc.constant('POST'),
    path: fc.constantFrom('/_isotherm/v1/events', '/_isotherm/v1/scenarios/run'),
    headers: fc.oneof({ weight: 4, arbitrary: own }, { weight: 1, arbitrary: headers }),
    body: bodies,
  }),
)

it('the API answers or refuses whatever is sent, and fails at nothing', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async (drawn) => {
      const { status, text } = await send(drawn)
      expect(status, text).toBeLessThan(500)
      // Errors are sentences, and do not send back all that they were sent.
      if (status >= 400) expect(text.length).toBeLessThan(1_000)
    }),
    { numRuns },
  )
})

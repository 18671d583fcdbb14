import { createLocal, type Endpoint, type Local } from '@isotherm/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ScenarioResult } from '../api/scenarios.js'
import type { ScenarioRunner, ScenarioRunWatch } from '../scenarios/scenario-runner.js'
import { localSource } from '../source/local-source.js'
import { consoleSite } from './console-site.js'

const RESULT: ScenarioResult = { title: 'a sale', isGood: true, sides: [], rows: [] }
const RATE = { name: 'rate', flag: '--rate <n>', description: 'a second', default: 10 }

/** The ends of the run that is in progress. */
let running: { watch: ScenarioRunWatch; end(): void; fail(): void } | undefined

const runner: ScenarioRunner = {
  scenarios: async () => [
    {
      name: 'sale',
      title: 'Sale',
      description: 'many orders',
      modes: ['rehearsal'],
      parameters: [{ ...RATE, min: 1, max: 100, isWhole: true }],
    },
  ],
  run: (_request, watch) =>
    new Promise((resolve, reject) => {
      const fail = () => reject(new Error('The table is gone.'))
      running = { watch, end: () => resolve(RESULT), fail }
    }),
}

let local: Local
let endpoint: Endpoint
beforeAll(async () => {
  local = createLocal({ heat: true })
  const site = consoleSite({ source: localSource(local), scenarios: runner, pages: '/nowhere' })
  endpoint = await local.listen({ port: 0, site })
})
afterAll(() => local.close())

const OWN = { 'content-type': 'application/json', 'x-isotherm-console': '1' }

async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = OWN) {
  const response = await fetch(`${endpoint.url}/_isotherm/v1/${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: The tests read members of different answers.
  return { status: response.status, body: (await response.json()) as any }
}

const run = async () => (await send('GET', 'scenarios/run')).body

describe('the API of scenarios', () => {
  it('lists scenarios with their parameters', async () => {
    const { status, body } = await send('GET', 'scenarios')
    expect(status).toBe(200)
    expect(body).toMatchObject({ version: 1, scenarios: [{ name: 'sale', parameters: [{ max: 100 }] }] })
    expect((await send('GET', 'scenarios/run')).body.error.code).toBe('scenario.none')
  })

  it.each([
    ['no JSON', 400, 'request.body', 'The body is no JSON object.'],
    [{ scenario: 'auction' }, 404, 'scenario.unknown', 'There is no scenario "auction". There are sale.'],
    [{ scenario: 'sale', mode: 'live' }, 400, 'request.parameter', 'mode is "live". Give one of rehearsal.'],
    [{ scenario: 'sale', colour: 1 }, 400, 'request.parameter', 'colour is unknown.'],
    [{ scenario: 'sale', parameters: [] }, 400, 'request.parameter', 'parameters is no object'],
    [{ scenario: 'sale', parameters: { rate: 101 } }, 400, 'request.parameter', 'rate is 101. Give a whole'],
    [{ scenario: 'sale', parameters: { rate: 1.5 } }, 400, 'request.parameter', 'rate is 1.5.'],
    [{ scenario: 'sale', parameters: { rate: '9' } }, 400, 'request.parameter', 'rate is "9".'],
    [
      { scenario: 'sale', parameters: { speed: 1 } },
      400,
      'request.parameter',
      'speed is unknown. sale has rate.',
    ],
    ['x'.repeat(20_000), 413, 'request.body', 'more than 16384 bytes'],
  ])('refuses %j with the value and the rule', async (body, status, code, message) => {
    const answer = await send('POST', 'scenarios/run', body)
    expect(answer).toMatchObject({ status, body: { error: { code } } })
    expect(answer.body.error.message).toContain(message)
    expect(running).toBeUndefined()
  })

  it('starts nothing for a form of another page', async () => {
    const body = { scenario: 'sale' }
    const plain = { 'content-type': 'text/plain', 'x-isotherm-console': '1' }
    expect((await send('POST', 'scenarios/run', body, plain)).status).toBe(415)
    const bare = await send('POST', 'scenarios/run', body, { 'content-type': 'application/json' })
    expect(bare).toMatchObject({ status: 403, body: { error: { code: 'request.header' } } })
    const foreign = { ...OWN, origin: 'http://localhost:3000' }
    expect((await send('POST', 'scenarios/run', body, foreign)).status).toBe(403)
    const site = { ...OWN, 'sec-fetch-site': 'cross-site' }
    expect((await send('POST', 'scenarios/run', body, site)).status).toBe(403)
    expect((await send('DELETE', 'scenarios/run', undefined, {})).status).toBe(403)
    expect((await send('PUT', 'scenarios/run', body)).status).toBe(405)
    expect((await send('POST', 'scenarios', body)).status).toBe(405)
    expect(running).toBeUndefined()
  })

  it('runs one at a time, with its progress and its result', async () => {
    const started = await send('POST', 'scenarios/run', { scenario: 'sale', parameters: { rate: 20 } })
    expect(started).toMatchObject({
      status: 202,
      body: { id: 1, scenario: 'sale', mode: 'rehearsal', parameters: { rate: 20 }, state: 'running' },
    })
    const second = await send('POST', 'scenarios/run', { scenario: 'sale' })
    expect(second).toMatchObject({ status: 409, body: { error: { code: 'scenario.busy' } } })
    running?.watch.onProgress({ text: 'half', share: 0.5, sides: [] })
    expect((await send('GET', 'scenarios/run')).body.progress).toMatchObject({ share: 0.5 })
    running?.end()
    await expect.poll(run).toMatchObject({ state: 'done', result: RESULT, ended: expect.any(Number) })
  })

  it('says why a run failed, and cancels one', async () => {
    await send('POST', 'scenarios/run', { scenario: 'sale' })
    running?.fail()
    await expect.poll(run).toMatchObject({ id: 2, state: 'failed', reason: 'The table is gone.' })
    await send('POST', 'scenarios/run', { scenario: 'sale' })
    const { body } = await send('DELETE', 'scenarios/run')
    expect(body).toMatchObject({ id: 3, state: 'cancelled' })
    expect(running?.watch.signal.aborted).toBe(true)
    // A result that comes late changes nothing.
    running?.end()
    expect((await send('GET', 'scenarios/run')).body).not.toHaveProperty('result')
    expect((await send('POST', 'scenarios/run', { scenario: 'sale' })).status).toBe(202)
  })
})

import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { expect, it, vi } from 'vitest'
import { LOG, post, SETTINGS, serveProxy } from '../proxy.fixture.js'
import { startProxy } from '../start-proxy.js'

/** A proxy whose upstream answers nothing until a request is aborted. */
async function hanging() {
  const failures: unknown[] = []
  const asked = vi.fn()
  const handle = (_: unknown, { abortSignal }: { abortSignal?: AbortSignal } = {}) => {
    asked()
    return new Promise((_resolve, reject) => {
      const aborted = Object.assign(new Error('Request aborted'), { name: 'AbortError' })
      abortSignal?.addEventListener('abort', () => reject(aborted))
    })
  }
  const client = new DynamoDBClient({
    ...SETTINGS,
    endpoint: 'http://127.0.0.1:9',
    requestHandler: { handle } as never,
  })
  const proxy = await startProxy({
    client,
    port: 0,
    tables: { log: LOG },
    onFailure: (error) => failures.push(error),
  })
  return { proxy, asked, failures }
}

it('a caller that disconnects is no failure of the proxy, and is counted as one', async () => {
  const { proxy, asked, failures } = await hanging()
  for (const TableName of ['plain', 'log']) {
    asked.mockClear()
    const headers = { 'x-amz-target': 'DynamoDB_20120810.GetItem' }
    const asking = request(proxy.url, { method: 'POST', headers })
    asking.on('error', () => undefined)
    asking.end(JSON.stringify({ TableName, Key: { doc: { S: '/a' }, seq: { N: '1' } } }))
    await vi.waitFor(() => expect(asked).toHaveBeenCalled())
    asking.destroy()
  }
  const metrics = async () => await (await fetch(`${proxy.url}/metrics`)).text()
  await vi.waitFor(async () => {
    expect(await metrics()).toMatch(/isotherm_route="passed",http_response_status_code="499".*\} 1\n/)
    expect(await metrics()).toMatch(/isotherm_route="sharded",http_response_status_code="499".*\} 1\n/)
  })
  expect(await metrics()).not.toContain('http_response_status_code="500"')
  expect(failures).toEqual([])
  await proxy.stop()
})

it('requests that the proxy refuses itself are in its metrics', async () => {
  const served = await serveProxy({ limits: { bodyBytes: 2_000 } })
  expect((await post(served.url, 'PutItem', 'x'.repeat(2_001))).status).toBe(413)
  expect((await post(served.url, 'PutItem', '{}', { origin: 'https://evil.example' })).status).toBe(403)
  const metrics = await (await fetch(`${served.url}/metrics`)).text()
  for (const status of [413, 403]) {
    const labels = `db_operation_name="none",isotherm_route="refused",http_response_status_code="${status}"`
    expect(metrics).toMatch(new RegExp(`isotherm_proxy_requests_total\\{${labels}.*\\} 1\\n`))
  }
  await served.stop()
})

it('limits.bodyBytes is about a compressed body and its text each, not about their sum', async () => {
  const served = await serveProxy({ limits: { bodyBytes: 2_000 } })
  const noise = Array.from({ length: 700 }, (_, at) => ((at * 2_654_435_761) >>> 7).toString(36).at(-3)).join(
    '',
  )
  const text = JSON.stringify({
    TableName: 'log',
    Item: { doc: { S: '/a' }, seq: { N: '1' }, noise: { S: noise }, more: { S: 'x'.repeat(1_000) } },
  })
  const body = gzipSync(text)
  expect(text.length).toBeLessThan(2_000)
  expect(body.length + text.length).toBeGreaterThan(2_000)
  const answer = await post(served.url, 'PutItem', body, { 'content-encoding': 'gzip' })
  expect(answer).toMatchObject({ status: 200, text: '{}' })
  await served.stop()
})

import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { afterEach, expect, it, vi } from 'vitest'
import { LOG, post, SETTINGS, serveProxy } from '../proxy.fixture.js'
import { startProxy } from '../start-proxy.js'

afterEach(() => {
  vi.unstubAllEnvs()
})

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const served = await serveProxy()
  await served.stop()
  return served.proxy.port
}

it.each(['127.0.0.1', 'localhost', 'proxy.localhost'])(
  'a proxy whose upstream is itself, as %s, does not start',
  async (name) => {
    const port = await freePort()
    const endpoint = `http://${name}:${port}`
    const client = new DynamoDBClient({ ...SETTINGS, endpoint })
    await expect(startProxy({ client, port, tables: { log: LOG } })).rejects.toMatchObject({
      code: 'endpoint.upstream-itself',
      message: expect.stringContaining(`The upstream ${endpoint} is this proxy itself`),
    })
    // The port is released.
    const other = new DynamoDBClient({ ...SETTINGS, endpoint: 'http://127.0.0.1:9' })
    await (await startProxy({ client: other, port, tables: { log: LOG } })).stop()
  },
)

it('neither with the variable that its callers have', async () => {
  const port = await freePort()
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', `http://127.0.0.1:${port}`)
  const client = new DynamoDBClient(SETTINGS)
  await expect(startProxy({ client, port, tables: { log: LOG } })).rejects.toMatchObject({
    code: 'endpoint.upstream-itself',
    message: expect.stringContaining('AWS_ENDPOINT_URL_DYNAMODB'),
  })
})

it('requests for streams do not come back to the proxy either', async () => {
  const port = await freePort()
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB_STREAMS', `http://127.0.0.1:${port}`)
  const failures: unknown[] = []
  const client = new DynamoDBClient(SETTINGS)
  const onFailure = (error: unknown) => failures.push(error)
  const proxy = await startProxy({ client, port, tables: { log: LOG }, onFailure })
  const { status, text } = await post(proxy.url, 'DynamoDBStreams_20120810.ListStreams', '{}')
  expect({ status, text }).toEqual({ status: 500, text: expect.stringContaining('is this proxy itself') })
  expect(failures).toHaveLength(1)
  await proxy.stop()
})

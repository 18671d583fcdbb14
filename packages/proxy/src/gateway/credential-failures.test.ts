import { DynamoDBClient, ListTablesCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LOG, SETTINGS } from '../proxy.fixture.js'
import { startProxy } from '../start-proxy.js'

const VALID = { accessKeyId: 'proxy', secretAccessKey: 'its own' }
const local = createLocal({ region: SETTINGS.region, throttle: false })
let upstreamUrl = ''
beforeAll(async () => {
  upstreamUrl = (await local.listen({ port: 0, credentials: [VALID] })).url
  await local.client({ region: SETTINGS.region }).send(createTable('log', ['doc', 'seq:N']))
})
afterAll(() => local.close())

/** A proxy whose credentials change, its caller, and what its operator reads. */
async function proxied(credentials: () => Promise<typeof VALID>) {
  const failures: unknown[] = []
  const proxy = await startProxy({
    client: new DynamoDBClient({ ...SETTINGS, credentials, endpoint: upstreamUrl }),
    port: 0,
    tables: { log: LOG },
    onFailure: (error) => failures.push(error),
  })
  const caller = new DynamoDBClient({ ...SETTINGS, endpoint: proxy.url })
  const put = () =>
    caller.send(new PutItemCommand({ TableName: 'log', Item: { doc: { S: 'a' }, seq: { N: '1' } } }))
  const list = () => caller.send(new ListTablesCommand({}))
  const stop = async () => {
    caller.destroy()
    await proxy.stop()
  }
  return { failures, put, list, stop }
}

/** Temporary credentials, which are not refreshed at once: their provider has them until they expire. */
const once = (keys: typeof VALID) => ({ ...keys, expiration: new Date(0) })

it('credentials that the upstream refuses are reported once, until they work again', async () => {
  let keys = { accessKeyId: 'expired', secretAccessKey: 'a secret' }
  const { failures, put, list, stop } = await proxied(async () => once(keys))
  const refused = { name: 'UnrecognizedClientException' }
  for (let times = 0; times < 2; times++) {
    await expect(list()).rejects.toMatchObject(refused)
    await expect(put()).rejects.toMatchObject(refused)
  }
  expect(failures).toMatchObject([
    {
      code: 'upstream.credentials',
      message:
        'The upstream refuses the credentials of the proxy (UnrecognizedClientException). All requests fail until the proxy has valid ones: renew the profile or role, or start the proxy with others.',
    },
  ])
  expect(JSON.stringify(failures)).not.toMatch(/expired|secret/)
  keys = VALID
  await put()
  keys = { ...VALID, accessKeyId: 'expired again' }
  await expect(list()).rejects.toMatchObject(refused)
  await expect(list()).rejects.toMatchObject(refused)
  expect(failures).toHaveLength(2)
  await stop()
})

it('so are those that the proxy cannot get', async () => {
  const { failures, put, list, stop } = await proxied(async () => {
    throw Object.assign(new Error('The SSO session has expired.'), { name: 'CredentialsProviderError' })
  })
  for (const ask of [list, put, list]) await expect(ask()).rejects.toThrow('has no credentials')
  expect(failures).toMatchObject([{ message: 'The SSO session has expired.' }])
  await stop()
})

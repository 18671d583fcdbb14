import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isotherm } from './isotherm.fixture.js'
import { refusingEndpoint } from './refusing-endpoint.fixture.js'

const ITEMS = 300
const THROTTLED = { name: 'ProvisionedThroughputExceededException', status: 400 }
/** More than the SDK tries. */
const REFUSALS = 7

const local = createLocal({ throttle: false })
let scans = 0
let refusing: Awaited<ReturnType<typeof refusingEndpoint>>
let endpoint = ''

beforeAll(async () => {
  const { url } = await local.listen({ port: 0 })
  const client = local.client()
  await client.send(createTable('busy', ['pk']))
  for (let item = 0; item < ITEMS; item++)
    await client.send(new PutItemCommand({ TableName: 'busy', Item: { pk: { S: `${item}` } } }))
  // Some scans in the middle of a sample are refused, as by a table without capacity.
  refusing = await refusingEndpoint(url, (operation) =>
    operation === 'Scan' && ++scans > 5 && scans <= 5 + REFUSALS ? THROTTLED : undefined,
  )
  endpoint = refusing.url
})
afterAll(async () => {
  refusing.close()
  await local.close()
})

describe('the sample of a table that is throttled meanwhile', () => {
  const NOTE = 'isotherm: reads of busy are throttled; the sample waits for capacity\n'

  it('waits for capacity, says so once, and has all of its items', async () => {
    scans = 0
    const args = ['--table', 'busy', '--sample', '280', '--json', '--endpoint', endpoint]
    const { code, out, err } = await isotherm('hot', ...args)
    expect(JSON.parse(out)).toMatchObject({ sampledItems: 280 })
    expect({ code, err }).toEqual({ code: 0, err: NOTE })
    expect(scans).toBeGreaterThan(5 + REFUSALS)
  })

  it('also for lint', async () => {
    scans = 0
    const args = ['--table', 'busy', '--sample', '280', '--fail-on', 'never', '--endpoint', endpoint]
    const { code, err } = await isotherm('lint', ...args)
    expect(err).toMatch(/^isotherm: reads of busy are throttled.*\nisotherm: 280 items sampled for/)
    expect(code).toBe(0)
  })
})

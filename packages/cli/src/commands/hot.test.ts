import {
  DescribeContributorInsightsCommand,
  GetItemCommand,
  PutItemCommand,
  UpdateContributorInsightsCommand,
} from '@aws-sdk/client-dynamodb'
import { insightRules } from '@isotherm/console/remote'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SystemClock } from '@isotherm/runtime'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isotherm } from '../isotherm.fixture.js'
import { refusingEndpoint, withoutPermission } from '../refusing-endpoint.fixture.js'

const local = createLocal()
const client = local.client()
let endpoint = ''

/** Of one request. */
const SDK_ATTEMPTS = 3

async function traffic(table: string) {
  for (let index = 0; index < 60; index++) {
    const pk = { S: index % 3 ? 'sale' : `other-${index}` }
    await client.send(new PutItemCommand({ TableName: table, Item: { pk, sk: { S: `${index}` } } }))
    if (index % 6 === 0) {
      await client.send(
        new GetItemCommand({ TableName: table, Key: { pk, sk: { S: `${index}` } }, ConsistentRead: true }),
      )
    }
  }
}

beforeAll(async () => {
  endpoint = (await local.listen({ port: 0 })).url
  for (const name of ['counted', 'quiet', 'off', 'throttled', 'refused'])
    await client.send(createTable(name, ['pk', 'sk'], { global: { by_sk: ['sk'] } }))
  for (const TableName of ['counted', 'quiet']) {
    await client.send(
      new UpdateContributorInsightsCommand({ TableName, ContributorInsightsAction: 'ENABLE' }),
    )
  }
  await traffic('counted')
})
afterAll(() => local.close())

const hot = (...args: readonly string[]) => isotherm('hot', ...args, '--endpoint', endpoint)
const never = new AbortController().signal

describe('isotherm hot', () => {
  it('shows the hottest keys, reads and writes apart, with their part of a partition and bounds', async () => {
    const { code, out } = await hot('--table', 'counted', '--json')
    const report = JSON.parse(out)
    expect(report).toMatchObject({ table: 'counted', source: 'insights', attributes: ['pk'] })
    // The count is approximate, as the service's own.
    expect(Math.abs(report.distinctKeys - 21)).toBeLessThan(4)
    const [first] = report.keys
    expect(first.key).toBe('sale')
    // 40 writes of 60, at 3 each, and no reads: 120 of 190.
    expect(first.share.value).toBeCloseTo(120 / 190, 1)
    for (const { writes, reads, ofPartition } of report.keys) {
      for (const { value, atLeast, atMost } of [writes, reads, ofPartition]) {
        expect(atLeast).toBeLessThanOrEqual(value + 1e-9)
        expect(value).toBeLessThanOrEqual(atMost + 1e-9)
      }
    }
    expect(first.writes.atMost * report.seconds).toBeCloseTo(40)
    expect(report.unlistedAtMost).toBeLessThan(0.05)
    expect(code).toBe(0)
  })

  it('asks the engine that the environment names, also for the figures', async () => {
    for (const [name, value] of [
      ['AWS_ENDPOINT_URL_DYNAMODB', endpoint],
      ['AWS_REGION', 'us-east-1'],
      ['AWS_ACCESS_KEY_ID', 'any'],
      ['AWS_SECRET_ACCESS_KEY', 'any'],
    ] as const)
      vi.stubEnv(name, value)
    const { code, out } = await isotherm('hot', '--table', 'counted', '--json')
    vi.unstubAllEnvs()
    expect(JSON.parse(out).keys[0]).toMatchObject({ key: 'sale' })
    expect(code).toBe(0)
  })

  it('prints a table', async () => {
    const { out } = await hot('--table', 'counted', '--top', '3')
    expect(out).toMatch(/^counted: \d\d:\d\d UTC, .*write and .* read units a second, about \d+ keys/)
    expect(out).toMatch(/│ sale +│/)
    expect(out).toContain('of a partition')
    expect(out).toMatch(/A key that is not listed has at most \d/)
  })

  it('says that there are no figures yet', async () => {
    const { code, out } = await hot('--table', 'quiet')
    expect(out).toBe(
      "quiet: no requests were counted yet; from Amazon's CloudWatch they come one to three minutes late\n",
    )
    expect(code).toBe(0)
  })

  it('samples the items instead, and counts those of a small table', async () => {
    const { code, out } = await hot('--table', 'counted', '--sample', '1000', '--json')
    const { keys, sampledItems } = JSON.parse(out)
    expect(sampledItems).toBe(60)
    expect(keys[0]).toMatchObject({ key: 'sale', share: { value: 2 / 3, atLeast: 2 / 3, atMost: 2 / 3 } })
    expect(keys[0].writes).toBeUndefined()
    expect(code).toBe(0)
    const { out: text } = await hot('--table', 'counted', '--sample', '1000')
    expect(text).toContain('All items were read; a key that is not listed has at most')
    expect(text).not.toContain('at least')
  })

  it('has bounds for the values of an index, and none for the keys of a table, whose items are in one place', async () => {
    const ofTable = ['--table', 'counted', '--sample', '20']
    const { keys, unlistedAtMost } = JSON.parse((await hot(...ofTable, '--json')).out)
    expect(keys[0].share).toMatchObject({ atLeast: 0, atMost: 1 })
    expect(unlistedAtMost).toBe(1)
    expect((await hot(...ofTable)).out).toContain(
      'can miss a key with many items, and overstate a key with few.',
    )
    const ofIndex = [...ofTable, '--index', 'by_sk']
    const index = JSON.parse((await hot(...ofIndex, '--json')).out)
    expect(index.attributes).toEqual(['sk'])
    expect(index.keys[0].share.atMost).toBeLessThan(1)
    expect((await hot(...ofIndex)).out).toMatch(/at least.*at most.*Bounds hold for 95 of 100 samples/s)
  })

  it('shows the bytes of a sampled key in base64', async () => {
    await client.send(createTable('bytes', ['pk:B']))
    await client.send(new PutItemCommand({ TableName: 'bytes', Item: { pk: { B: Buffer.from([0, 255]) } } }))
    const { out } = await hot('--table', 'bytes', '--sample', '10', '--json')
    expect(JSON.parse(out).keys).toMatchObject([{ key: 'AP8=' }])
  })

  it('turns Contributor Insights on while it counts, and off again', async () => {
    await traffic('off')
    const counting = hot('--table', 'off', '--enable', '--for', '1', '--json')
    while ((await insightRules(client, { table: 'off' }, never)) === undefined)
      await new SystemClock().sleep(10)
    await traffic('off')
    const { code, out, err } = await counting
    const [first] = JSON.parse(out).keys
    expect(first.key).toBe('sale')
    // What came before it was on is not counted.
    expect(first.share.value).toBeCloseTo(120 / 190, 1)
    expect(err).toContain('off is on and counts for 1 s')
    expect(err).toContain('Contributor Insights of off is off again')
    expect(await insightRules(client, { table: 'off' }, never)).toBeUndefined()
    expect(code).toBe(0)
  })

  it('goes back to counting throttled keys only, where that was on before', async () => {
    const TableName = 'throttled'
    await client.send(
      new UpdateContributorInsightsCommand({
        TableName,
        ContributorInsightsAction: 'ENABLE',
        ContributorInsightsMode: 'THROTTLED_KEYS',
      }),
    )
    const { code, err } = await hot('--table', TableName, '--enable', '--for', '1')
    expect(err).toContain('Contributor Insights of throttled counts throttled keys only again')
    expect(code).toBe(0)
    expect(await client.send(new DescribeContributorInsightsCommand({ TableName }))).toMatchObject({
      ContributorInsightsStatus: expect.stringMatching(/^ENABL/),
      ContributorInsightsMode: 'THROTTLED_KEYS',
    })
  })

  it('leaves Contributor Insights alone where it may not be turned on, and says why', async () => {
    const refusing = await refusingEndpoint(endpoint, withoutPermission('UpdateContributorInsights'))
    const args = ['hot', '--table', 'refused', '--enable', '--endpoint', refusing.url]
    const { code, err } = await isotherm(...args)
    refusing.close()
    expect(err).toMatch(
      /^isotherm: refused: AccessDeniedException: .*UpdateContributorInsights\. Allow these/,
    )
    expect(err).not.toContain('still counts')
    expect(code).toBe(1)
  })

  it('shows the same for the ARN of a table', async () => {
    const [byName, byArn] = await Promise.all(
      ['counted', 'arn:aws:dynamodb:us-east-1:000000000000:table/counted'].map(async (name) =>
        JSON.parse((await hot('--table', name, '--json')).out),
      ),
    )
    expect(byArn.total.writeUnits).toBeGreaterThan(0)
    expect(byArn.keys[0].key).toBe(byName.keys[0].key)
  })

  it('watches until it is interrupted, one line for each look', async () => {
    const watching = hot('--table', 'counted', '--watch', '--every', '1', '--json')
    await new SystemClock().sleep(1_500)
    process.emit('SIGINT')
    const { code, out } = await watching
    const lines = out.trimEnd().split('\n')
    expect(lines.length).toBeGreaterThanOrEqual(2)
    expect(JSON.parse(lines[1] ?? '').keys[0].key).toBe('sale')
    expect(code).toBe(0)
  })

  it('watches beyond an outage of the service', async () => {
    let [asked, outFrom, outTo] = [0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    const isOut = (operation: string) => {
      if (operation !== 'GetInsightRuleReport') return false
      asked += 1
      return asked > outFrom && asked <= outTo
    }
    const failing = await refusingEndpoint(endpoint, (operation) =>
      isOut(operation) ? { name: 'InternalServiceError', status: 500 } : undefined,
    )
    const looking = ['hot', '--table', 'counted', '--json', '--endpoint', failing.url]
    await isotherm(...looking)
    const ofOneLook = asked
    expect(ofOneLook).toBeGreaterThan(0)
    // After a whole look, all attempts of the next one fail.
    outFrom = 2 * ofOneLook
    outTo = outFrom + SDK_ATTEMPTS * ofOneLook
    const watching = isotherm(...looking, '--watch', '--every', '1')
    while (asked < outTo + 2 * ofOneLook) await new SystemClock().sleep(50)
    process.emit('SIGINT')
    const { code, out, err } = await watching
    failing.close()
    expect(err).toMatch(/The figures cannot be read now: Internal.* The next look is in 1 s\.$/m)
    expect(out.trimEnd().split('\n').length).toBeGreaterThanOrEqual(2)
    expect(code).toBe(0)
  })

  it.each([
    [
      'Contributor Insights that is off',
      ['--table', 'off'],
      /Contributor Insights is off for off; use --enable/,
      1,
    ],
    ['a table that does not exist', ['--table', 'none'], /^isotherm: none: ResourceNotFoundException/, 1],
    ['no table', [], /Required option '--table <name>'/, 2],
    [
      'a sample that is watched',
      ['--table', 'off', '--sample', '10', '--watch'],
      /--sample cannot be used with --watch/,
      2,
    ],
    [
      'an index that does not exist',
      ['--table', 'off', '--sample', '10', '--index', 'x'],
      /has no index 'x'; it has by_sk/,
      2,
    ],
    [
      'too many keys',
      ['--table', 'off', '--top', '26'],
      /--top is '26'; it must be a whole number from 1 to 25/,
      2,
    ],
  ] as const)('says in one sentence what is wrong with %s', async (_, args, message, expected) => {
    const { code, out, err } = await hot(...args)
    expect(err).toMatch(message)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
    expect({ code, out }).toEqual({ code: expected, out: '' })
  })
})

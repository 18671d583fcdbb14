import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { DRAWN, handSharded, MD5, SCHEMES, type Scheme, storedKeys } from '../../test/hand-sharded.js'
import { fixedShards } from '../scaling/shards.js'
import { handMade } from '../writes/hand-made.js'
import type { HandMadeOptions } from '../writes/hand-made-options.js'
import { checkHandMade, type HandMadeCheckOptions } from './hand-made-check.js'
import type { ShardedTableOptions } from './options.js'

/** The check of a table of the scheme, with options that may differ from what the application has done. */
async function checked(
  scheme: Scheme,
  {
    suffix = {},
    table = {},
    given = {},
    more = [],
  }: {
    readonly suffix?: object
    readonly table?: Partial<ShardedTableOptions>
    readonly given?: Partial<HandMadeCheckOptions>
    /** The partition keys of more items. */
    readonly more?: readonly string[]
  } = {},
) {
  const { client, clock, random, options, close } = await handSharded(scheme)
  try {
    return await clock.run(async () => {
      for (const key of more) {
        const Item = { campaign: { S: key }, voted_at: { S: 'now' } }
        await client.send(new PutItemCommand({ TableName: 'votes', Item }))
      }
      const before = await storedKeys(client)
      const report = await checkHandMade(client, {
        table: 'votes',
        options: {
          ...options,
          suffix: handMade({ ...scheme.options, ...suffix } as HandMadeOptions),
          ...table,
        },
        clock,
        random,
        ...given,
      })
      expect(await storedKeys(client)).toEqual(before)
      return report
    })
  } finally {
    await close()
  }
}

describe('the check of a table sharded by hand', () => {
  it.each(SCHEMES)('finds every item of $title', async (scheme) => {
    const report = await checked(scheme)
    expect(report).toMatchObject({
      fits: true,
      items: 60,
      found: 60,
      examples: [],
      scheme: 'votes',
      shards: 10,
    })
    expect(report.shardsSeen).toBeGreaterThan(8)
  })

  it('notices a placement that differs, and says where it looks for the items', async () => {
    const report = await checked(MD5, {
      suffix: { shardOf: ({ partitionKey }: { partitionKey: string }) => (partitionKey.length % 10) + 1 },
    })
    expect(report.fits).toBe(false)
    expect(report.found).toBeLessThan(20)
    expect(report.misfits['other-shard']).toBe(60 - report.found)
    expect(report.examples).toHaveLength(20)
    expect(report.examples[0]).toMatchObject({
      reason: 'other-shard',
      storedKey: expect.stringMatching(/^Campaign#10[12]#\d+$/),
      expectedKey: expect.stringMatching(/^Campaign#10[12]#3$/),
      sortKey: { S: expect.stringMatching(/^2026/) },
    })
  })

  it.each([
    ['numbers from 0 instead of 1', { first: 0, shardOf: (): number => 0 }, {}, 'no-name'],
    ['leading zeros', { digits: 2 }, {}, 'no-name'],
    ['another delimiter', { delimiter: '.' }, {}, 'no-name'],
    ['another position', { position: 'prefix' }, {}, 'no-name'],
    ['fewer shards', {}, { shards: fixedShards(4) }, 'no-name'],
    ['more shards', { shardOf: (): number => 20 }, { shards: fixedShards(20) }, 'other-shard'],
    [
      'a placement that throws',
      {
        shardOf: (): number => {
          throw new Error('oh')
        },
      },
      {},
      'failed',
    ],
  ] as const)('notices %s', async (_what, suffix, table, reason) => {
    const report = await checked(MD5, { suffix, table })
    expect(report.fits).toBe(false)
    expect(report.misfits[reason]).toBeGreaterThan(0)
    expect(report.examples.map((example) => example.reason)).toContain(reason)
  })

  it('reports items that are not sharded, and keys that requests could not name', async () => {
    const report = await checked(MD5, { more: ['User#12', 'plain', 'Campaign#7#3'] })
    expect(report).toMatchObject({ fits: false, items: 63, found: 60 })
    expect(report.misfits).toEqual({ 'no-name': 2, 'other-shard': 0, 'refused-key': 1, failed: 0 })
    const refused = report.examples.find(({ reason }) => reason === 'refused-key')
    expect(refused).toMatchObject({
      storedKey: 'Campaign#7#3',
      message: expect.stringContaining('acceptLookalikes'),
    })
  })

  it('says nothing about an empty table', async () => {
    const { client, clock, options, close } = await handSharded({
      ...MD5,
      byHand: ({ campaign }) => campaign,
    })
    const report = await clock.run(async () => {
      const { DeleteTableCommand } = await import('@aws-sdk/client-dynamodb')
      const { createTable } = await import('@isotherm/fixtures')
      await client.send(new DeleteTableCommand({ TableName: 'votes' }))
      await clock.sleep(60_000)
      await client.send(createTable('votes', ['campaign', 'voted_at']))
      return checkHandMade(client, { table: 'votes', options, clock })
    })
    await close()
    expect(report).toMatchObject({ fits: undefined, items: 0, found: 0 })
  })

  it('reads no more items than asked for, from many places, and can be aborted', async () => {
    const report = await checked(DRAWN, { given: { items: 30 } })
    expect(report).toMatchObject({ items: 30, found: 30, fits: true })
    const controller = new AbortController()
    const aborted = await checked(DRAWN, {
      given: {
        signal: controller.signal,
        onProgress: ({ items }) => {
          if (items > 0) controller.abort()
        },
      },
    })
    expect(aborted.items).toBeGreaterThan(0)
    expect(aborted.items).toBeLessThan(60)
  })

  it.each([
    ['a sort key that the table does not have', { sortKey: 'at' }, 'checkHandMade.options.sortKey'],
    ['another partition key', { partitionKey: 'pk' }, 'checkHandMade.options.partitionKey'],
    ['another kind of suffix', { suffix: 'random' }, 'checkHandMade.options'],
  ] as const)('refuses %s', async (_what, table, option) => {
    await expect(checked(MD5, { table })).rejects.toMatchObject({
      code: 'options.invalid',
      details: expect.objectContaining({ option }),
    })
  })
})

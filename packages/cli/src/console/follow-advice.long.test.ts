import { PutItemCommand, UpdateTableCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { type Local, SPENT_INDEXES } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { fixedShards, isotherm } from 'isotherm'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { barriersOf } from '../../../console/src/browser/axe.fixture.js'
import { builtPages, hasChromium, openPage } from '../../../console/src/browser/browser.fixture.js'
import { localWithConsole } from './local-with-console.js'

const SALE_PER_SECOND = 1_500
/** Longer than what counts as the present on a map of a minute. */
const SECONDS = 7
/** An advice may have to be followed more than once: shards meet in partitions. */
const MAX_ROUNDS = 3

describe.skipIf(!hasChromium)('a person who follows the advice of the console', () => {
  const clock = new VirtualClock(Date.UTC(2027, 0, 1, 12))
  let local: Local
  let address = ''
  beforeAll(async () => {
    const options = { ...SPENT_INDEXES, clock, random: new SeededRandom(7) }
    const shown = localWithConsole(options, { log: '_' }, await builtPages())
    local = shown.local
    address = `${(await local.listen({ port: 0, site: shown.site })).url}/_isotherm/`
  })
  afterAll(async () => {
    await local.close()
  })

  async function opened(query: string): Promise<Page> {
    const page = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(`${address}?${query}`)
    return page
  }

  let number = 0
  /** An application of the library that gives each key so many shards. */
  async function write(shards: number): Promise<void> {
    const db = isotherm(local.client({ maxAttempts: 1 }), {
      tables: {
        log: {
          partitionKey: 'file',
          sortKey: 'at',
          suffix: 'random',
          shards: fixedShards(shards),
          // One attempt for a write, so that the offered traffic is the same whatever is throttled.
          maxAttempts: 1,
        },
      },
      clock,
      random: new SeededRandom(shards),
    })
    const put = (file: string) =>
      db
        .send(
          new PutItemCommand({ TableName: 'log', Item: { file: { S: file }, at: { S: String(number++) } } }),
        )
        .catch(() => undefined)
    for (let second = 0; second < SECONDS; second++) {
      const due = clock.now() + 1_000
      const others = Array.from({ length: 30 }, (_, at) => `/page/${at}`)
      await Promise.all([...Array(SALE_PER_SECOND).fill('/sale'), ...others].map(put))
      if (due > clock.now()) await clock.sleep(due - clock.now())
    }
    db.destroy()
  }

  it('finds the hot key, gives it the shards that are advised, and sees it cool', async () => {
    await local.client().send(createTable('log', ['file', 'at']))
    await clock.run(() => write(1))
    const page = await opened('table=log&last=60')
    const hot = page.locator('.findings .hot', { hasText: '/sale is at the limit of its partition' })
    await hot.waitFor()
    expect(await page.locator('.top-keys tbody tr').first().textContent()).toMatch(/^\/sale/)

    await page.getByRole('button', { name: 'Copy table' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(copied).toMatch(/^Key\tShare\t.*\tShards needed\tReason\n\/sale\t/)

    await hot.getByRole('button', { name: 'Show it' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('firstKey')).toBe('/sale')
    await expect.poll(() => page.locator('.row').count()).toBe(1)
    expect(await barriersOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Back to live' }).click()
    await expect.poll(() => page.locator('.row').count()).toBeGreaterThan(1)

    const cooled = page.locator('.findings .cooled', { hasText: '/sale was throttled and has cooled' })
    const used: number[] = []
    for (let round = 0; round < MAX_ROUNDS && (await cooled.count()) === 0; round++) {
      const text = (await hot.first().textContent()) ?? ''
      // At first the least number, and then the one that is enough although shards meet.
      const advised =
        /Give this key (\d+) shards or more/.exec(text)?.[1] ?? /(\d+) are enough with odds/.exec(text)?.[1]
      const shards = Number(advised)
      expect(shards).toBeGreaterThan(used.at(-1) ?? 1)
      used.push(shards)
      await clock.run(() => write(shards))
      const label = page.locator('.row', { hasText: '/sale' }).first().locator('em')
      await expect.poll(() => label.textContent()).toContain(`${shards} shards`)
      await cooled
        .or(hot.filter({ hasText: `It has ${shards} shards` }))
        .first()
        .waitFor()
    }
    expect(used.length).toBeGreaterThan(0)
    await cooled.waitFor()
  })

  it('sees on the time axis when capacity was changed, and when the queue of an index became full', async () => {
    const client = local.client({ maxAttempts: 1 })
    const global = { by_status: { key: ['status'], projected: 'KEYS_ONLY' } } as const
    await client.send(createTable('jobs', ['id'], { global }))
    await clock.run(async () => {
      for (let second = 0; second < 4; second++) {
        const due = clock.now() + 1_000
        const ids = Array.from({ length: 1_600 }, (_, at) => `${second} ${at}`)
        await Promise.all(
          ids.map((id) => {
            const Item = { id: { S: id }, status: { S: 'open' } }
            return client.send(new PutItemCommand({ TableName: 'jobs', Item })).catch(() => undefined)
          }),
        )
        if (due > clock.now()) await clock.sleep(due - clock.now())
      }
    })
    await client.send(
      new UpdateTableCommand({
        TableName: 'jobs',
        OnDemandThroughput: { MaxReadRequestUnits: 500, MaxWriteRequestUnits: 700 },
      }),
    )
    await clock.run(() => clock.sleep(2_000))
    const page = await opened('table=jobs&last=60')
    const marks = page.getByRole('list', { name: 'Events' })
    await marks.getByRole('button', { name: /the queue of the index by_status became full/ }).waitFor()
    await marks
      .getByRole('button', {
        name: /capacity changed from on-demand to on-demand, at most 700 write and 500 read units\/s/,
      })
      .waitFor()
    expect(await barriersOf(page)).toEqual([])
  })
})

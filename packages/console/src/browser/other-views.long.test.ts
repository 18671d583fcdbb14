import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { VirtualClock } from '@isotherm/runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { barriersOf } from './axe.fixture.js'
import { hasChromium, served, watchedPage } from './browser.fixture.js'
import { runSale } from './sale.fixture.js'

describe.skipIf(!hasChromium)('the other views in a browser', () => {
  const clock = new VirtualClock(Date.UTC(2026, 10, 23, 12))
  let shop: Awaited<ReturnType<typeof served>>
  beforeAll(async () => {
    shop = await served({ clock })
    await runSale(shop.local, clock)
  })
  afterAll(async () => {
    await shop.local.close()
  })

  async function opened(view: string) {
    const { page, misdeeds } = await watchedPage()
    await page.goto(`${shop.address}?table=shop`)
    const views = page.getByRole('navigation', { name: 'Views of the table' })
    await views.getByRole('button', { name: view }).click()
    return { page, misdeeds }
  }

  it('shows what was accepted and what was throttled, with the reason', async () => {
    const { page, misdeeds } = await opened('Throttling')
    const writes = page.getByRole('region', { name: 'Writes' })
    await writes.locator('canvas').waitFor()
    await expect
      .poll(() => writes.textContent())
      .toMatch(/accepted units: 1\d,\d{3}; TableWriteKeyRangeThroughputExceeded: [\d,]+/)
    const said = (await writes.textContent()) ?? ''
    const throttled = Number(/Exceeded: ([\d,]+)/.exec(said)?.[1]?.replaceAll(',', ''))
    const partitions = shop.local.partitions('shop')
    // The engine counts for itself: the chart must have every throttled request.
    expect(throttled).toBe(partitions.reduce((sum, { write }) => sum + write.throttledRequests, 0))
    expect(misdeeds).toEqual({ foreign: [], errors: [] })
  })

  it('shows the partitions, and which of them throttles', async () => {
    const { page } = await opened('Partitions')
    const rows = page.locator('.partitions tbody tr')
    await expect.poll(() => rows.count()).toBe(4)
    await expect.poll(() => page.locator('.partitions td.hot').count()).toBe(1)
    expect(await rows.first().textContent()).toMatch(/bytes/)
  })

  it('shows the findings of the linter, with their cures', async () => {
    const { page } = await opened('Advice')
    await page.getByRole('heading', { name: /An on-demand table without a maximum/ }).waitFor()
    const link = page.getByRole('link', { name: 'uncapped-on-demand' })
    expect(await link.getAttribute('href')).toContain('/docs/lint/uncapped-on-demand.md')
    await page.reload()
    await link.waitFor()
  })

  it('shows why each count was changed and by whom, and the options of the table', async () => {
    const seconds = Math.floor(clock.now() / 1_000)
    const items = [
      {
        page: { S: '/sale' },
        number_of_shards: { N: '2' },
        shard_history: { SS: [`${seconds - 60}:1`, `${seconds - 40}:4`, `${seconds - 8}:2`] },
        last_growth: { S: '1:4:990:2100:0' },
      },
      {
        page: { S: 'isotherm:card' },
        format: { N: '1' },
        version: { N: '7' },
        settings: { M: { partitionKey: { S: 'page' }, suffix: { S: 'random' }, initial: { S: '1' } } },
        listed_keys: { SS: ['/sale'] },
      },
    ]
    for (const Item of items) {
      await shop.local.client().send(new PutItemCommand({ TableName: 'shop_shard_map', Item }))
    }
    shop.site.event({
      type: 'scaled',
      at: (seconds - 8) * 1_000,
      table: 'shop',
      key: '/sale',
      from: 4,
      to: 2,
      reason: 'set',
      by: 'worker 7',
    })
    // A shard map is read again when the second of its write is over.
    clock.advance(2_000)
    const { page, misdeeds } = await opened('Shards')
    const changes = page.getByRole('row', { name: /\/sale/ }).getByRole('listitem')
    await expect.poll(() => changes.count()).toBe(2)
    expect(await changes.first().textContent()).toContain(
      '4 → 2 shards, because the application set them, by worker 7',
    )
    expect(await changes.last().textContent()).toContain(
      '1 → 4 shards, because it was throttled (990 units/s accepted, 2,100 throttled)',
    )
    const card = page.getByRole('region', { name: 'Table card' })
    await card.getByText('random').waitFor()
    expect(await card.textContent()).toContain('Keys without a count of their own1 shard')
    expect(misdeeds).toEqual({ foreign: [], errors: [] })
    await page
      .getByRole('navigation', { name: 'Views of the table' })
      .getByRole('button', { name: 'Heat' })
      .click()
    await page
      .getByRole('button', { name: /\/sale: 4 → 2 shards, because the application set them, by worker 7/ })
      .waitFor()
  })

  it.each(['Throttling', 'Partitions', 'Shards', 'Advice'])(
    'has no barrier that axe finds in %s',
    async (view) => {
      const { page } = await opened(view)
      await page
        .locator(':is(.throttling canvas, .partitions tbody tr, .advice li, .shards li)')
        .first()
        .waitFor()
      expect(await barriersOf(page)).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.locator('html[data-theme="dark"]').waitFor()
      expect(await barriersOf(page)).toEqual([])
    },
  )
})

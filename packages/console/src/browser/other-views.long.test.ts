import { VirtualClock } from '@isotherm/runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { barriersOf } from './axe.fixture.js'
import { ConsoleBrowser, hasChromium, served } from './browser.fixture.js'
import { runSale } from './sale.fixture.js'

describe.skipIf(!hasChromium)('the other views in a browser', () => {
  const browser = new ConsoleBrowser()
  const clock = new VirtualClock(Date.UTC(2026, 10, 23, 12))
  let shop: Awaited<ReturnType<typeof served>>
  beforeAll(async () => {
    await browser.open()
    shop = await served(browser.pages, { clock })
    await runSale(shop.local, clock)
  })
  afterAll(async () => {
    await browser.close()
    await shop.local.close()
  })

  async function opened(view: string, options = {}) {
    const { page, misdeeds } = await browser.page(options)
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

  it.each(['Throttling', 'Partitions', 'Advice'])('has no barrier that axe finds in %s', async (view) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await opened(view, { colorScheme })
      await page.locator(':is(.throttling canvas, .partitions tbody tr, .advice li)').first().waitFor()
      expect(await barriersOf(page)).toEqual([])
    }
  })
})

import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { VirtualClock } from '@isotherm/runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, openPage, served, VIEWS } from './browser.fixture.js'
import { runSale } from './sale.fixture.js'

/** What a screen of 1,280 by 800 has at twice the size. */
const VIEWPORT = { width: 640, height: 400 }

/** Elements that are cut off at the right, except in what scrolls by itself. It runs in the page. */
const CUT = `[...document.querySelectorAll('body *')]
  .filter((element) => !element.closest('.scrolls, .tables > ul, .unseen, .skip'))
  .filter((element) => element.getBoundingClientRect().width > 0)
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
  .map((element) => element.outerHTML.slice(0, 120))`

describe.skipIf(!hasChromium)('a window at twice the size', () => {
  const clock = new VirtualClock(Date.UTC(2026, 10, 23, 12))
  let shop: Awaited<ReturnType<typeof served>>
  beforeAll(async () => {
    shop = await served({ clock })
    await runSale(shop.local, clock)
    const Item = { page: { S: 'long' }, text: { S: 'a long text '.repeat(60) } }
    const client = shop.local.client()
    await client.send(createTable('orders', ['page'], { global: { by_text: ['text'] } }))
    await client.send(new PutItemCommand({ TableName: 'orders', Item }))
    const scaled = { type: 'scaled', table: 'shop', key: '/sale', reason: 'hot' } as const
    // Beside the middle, where a text to the right has the least room.
    shop.site.event({ ...scaled, at: clock.now() - 8_000, from: 1, to: 2 })
    shop.site.event({ ...scaled, at: clock.now() - 7_000, from: 2, to: 4, by: 'a process with a long name' })
  })
  afterAll(async () => {
    await shop.local.close()
  })

  async function opened(query: string) {
    const page = await openPage({ viewport: VIEWPORT })
    const span = `from=${clock.now() - 13_000}&to=${clock.now()}`
    await page.goto(`${shop.address}?${query}&${span}`)
    await page.getByRole('button', { name: 'New table' }).first().waitFor()
    return page
  }

  it.each(VIEWS)('cuts nothing off in the view %s', async (tab) => {
    const page = await opened(`table=orders&tab=${tab}`)
    await page.waitForTimeout(1_000)
    expect(await page.evaluate(CUT)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(VIEWPORT.width)
  })

  it('shows the word of a finding in one line, and the texts of all events', async () => {
    const page = await opened('table=shop')
    const level = page.locator('.findings .level').first()
    await level.waitFor()
    const lines = await level.evaluate((element) => element.getClientRects().length)
    const { height } = (await level.boundingBox()) ?? { height: 0 }
    expect([lines, height < 30]).toEqual([1, true])
    const events = page.getByRole('list', { name: 'Events' }).getByRole('button')
    for (let at = 0; at < (await events.count()); at++) {
      await events.nth(at).focus()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(VIEWPORT.width)
    }
    expect(await events.count()).toBe(2)
  })

  it('keeps the keys of a wide table beside its figures', async () => {
    const page = await opened('table=shop')
    const table = page.getByRole('region', { name: 'Table of the hottest keys' })
    const key = table.locator('tbody th').first()
    await key.waitFor()
    await table.evaluate((element) => element.scrollTo(1_000, 0))
    await table.getByRole('button', { name: 'Copy key' }).first().scrollIntoViewIfNeeded()
    const [place, around] = [await key.boundingBox(), await table.boundingBox()]
    expect(place?.x).toBeCloseTo(around?.x ?? 0, 0)
    expect(place?.height).toBeLessThan(110)
  })

  it('shows the buttons of an item below its text', async () => {
    const page = await opened('table=orders&tab=items')
    await page.getByRole('button', { name: /^Open/ }).first().click()
    const editor = page.getByRole('dialog', { name: 'Item' })
    for (const name of ['Plain JSON', 'Save', 'Cancel']) {
      const place = await editor.getByRole('button', { name, exact: true }).boundingBox()
      expect(place?.y).toBeGreaterThan(0)
      expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThan(VIEWPORT.height)
    }
  })
})

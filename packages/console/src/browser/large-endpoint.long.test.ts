import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { VirtualClock } from '@isotherm/runtime'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, openPage, served, watchedPage } from './browser.fixture.js'

const TABLES = 120
/** The longest that DynamoDB allows. */
const LONG_NAME = 'n'.repeat(255)
const ODD_KEYS = {
  long: 'k'.repeat(2_000),
  path: `/files/${'reports/'.repeat(12)}plan.pdf`,
  lines: 'one\ntwo',
  space: ' ',
  override: 'photo\u202egnp.exe',
  markup: '<img src=x onerror="document.title = 1">',
  righttoleft: 'שלום',
}

/** How far the page is wider than the window. */
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

describe.skipIf(!hasChromium)('an endpoint with many tables and odd keys', () => {
  const clock = new VirtualClock(Date.UTC(2026, 10, 23, 12))
  let endpoint: Awaited<ReturnType<typeof served>>
  beforeAll(async () => {
    endpoint = await served({ clock })
    const client = endpoint.local.client()
    for (let number = 0; number < TABLES; number++)
      await client.send(createTable(`service_${String(number).padStart(3, '0')}`, ['id']))
    await client.send(createTable(LONG_NAME, ['id']))
    await client.send(createTable('odd', ['id']))
    await clock.run(async () => {
      for (const id of Object.values(ODD_KEYS)) {
        await client.send(new PutItemCommand({ TableName: 'odd', Item: { id: { S: id } } }))
        await client.send(new PutItemCommand({ TableName: LONG_NAME, Item: { id: { S: id } } }))
      }
      await clock.sleep(2_000)
    })
  })
  afterAll(async () => {
    await endpoint.local.close()
  })

  async function opened(query: string, options = {}) {
    const { page, misdeeds } = await watchedPage(options)
    await page.goto(`${endpoint.address}?${query}`)
    await page.getByRole('status').getByText('Live').waitFor()
    return { page, misdeeds }
  }
  const tables = (page: Page) => page.getByRole('navigation', { name: 'Tables' })

  it('has a table at the end of the list beside its view, after a click and by a link', async () => {
    const { page } = await opened('table=service_000&tab=definition')
    await tables(page).getByRole('button', { name: 'service_119' }).click()
    const heading = page.getByRole('heading', { name: 'service_119' })
    await heading.waitFor()
    expect(await page.title()).toBe('service_119 – Isotherm console')
    const isInWindow = async (place: ReturnType<Page['getByRole']>) => {
      const box = await place.boundingBox()
      return box !== null && box.y >= 0 && box.y + box.height <= 900
    }
    expect(await isInWindow(heading)).toBe(true)
    await page.reload()
    await heading.waitFor()
    await expect.poll(() => isInWindow(tables(page).getByRole('button', { name: 'service_119' }))).toBe(true)
    expect(await isInWindow(heading)).toBe(true)
    expect(await isInWindow(tables(page).getByRole('button', { name: 'New table' }))).toBe(true)
  })

  it.each([
    { width: 390, height: 844 },
    { width: 900, height: 900 },
    { width: 1440, height: 900 },
  ])('is never wider than the window, at $width pixels', async (viewport) => {
    const { page, misdeeds } = await opened(`table=${LONG_NAME}`, { viewport })
    const views = page.getByRole('navigation', { name: 'Views of the table' })
    await page.getByText('Hottest keys').waitFor()
    for (const view of ['Heat', 'Throttling', 'Partitions', 'Shards', 'Items', 'Definition', 'Advice']) {
      await views.getByRole('button', { name: view }).click()
      await page.getByText('Loading …').waitFor({ state: 'detached' })
      expect([view, await page.evaluate(OVERFLOW)]).toEqual([view, 0])
    }
    for (const name of ['All tables', 'New table']) {
      await tables(page).getByRole('button', { name }).click()
      await page.getByRole('heading', { name }).waitFor()
      expect([name, await page.evaluate(OVERFLOW)]).toEqual([name, 0])
    }
    expect(misdeeds).toEqual({ foreign: [], errors: [] })
  })

  it('has a pinned cell in the window of a phone', async () => {
    const { page } = await opened('table=odd', { viewport: { width: 390, height: 844 } })
    const map = page.locator('.cells canvas')
    await map.scrollIntoViewIfNeeded()
    for (const share of [0.1, 0.6]) {
      const box = await map.boundingBox()
      await map.click({ position: { x: (box?.width ?? 0) * share, y: 5 } })
      const pinned = await page.getByRole('dialog', { name: 'Pinned cell' }).boundingBox()
      expect(pinned?.x).toBeGreaterThanOrEqual(0)
      expect((pinned?.x ?? 0) + (pinned?.width ?? 0)).toBeLessThanOrEqual(390)
      await page.getByRole('button', { name: 'Unpin' }).click()
    }
  })

  it('shows every character of a key, and the whole of one that is cut', async () => {
    const { page, misdeeds } = await opened('table=odd')
    const labels = page.locator('.row .label')
    await expect
      .poll(() => labels.allTextContents())
      .toEqual(
        expect.arrayContaining([
          'one\\ntwo',
          '" "',
          'photo\\u202egnp.exe',
          ODD_KEYS.markup,
          ODD_KEYS.righttoleft,
        ]),
      )
    const cut = page.getByRole('rowheader').filter({ hasText: 'plan.pdf' })
    expect(await cut.getAttribute('title')).toBe(ODD_KEYS.path)
    await page.getByRole('button', { name: 'Items' }).click()
    await page.getByRole('cell', { name: 'S photo\\u202egnp.exe', exact: true }).waitFor()
    expect(misdeeds).toEqual({ foreign: [], errors: [] })
  })

  it('asks for the map in the views that show it, and in no other', async () => {
    const page = await openPage()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('v1/heat')) asked.push(request.url())
    })
    await page.goto(`${endpoint.address}?table=odd&tab=definition`)
    await page.getByText('id (S, partition)').waitFor()
    await page.waitForTimeout(2_500)
    expect(asked).toEqual([])
    await page.getByRole('button', { name: 'Heat' }).click()
    await page.getByText('Hottest keys').waitFor()
    expect(asked.length).toBeGreaterThan(0)
  })

  it('shows neither the map nor the failure of another table', async () => {
    const page = await openPage()
    await page.route('**/v1/heat?*service_001*', async (route) => {
      const error = { code: 'source.failed', message: 'service_001 has no metrics.' }
      await route.fulfill({ status: 502, json: { error } })
    })
    await page.route('**/v1/heat?*service_002*', () => undefined)
    await page.goto(`${endpoint.address}?table=odd`)
    await page.getByText('Hottest keys').waitFor()
    await tables(page).getByRole('button', { name: 'service_001' }).click()
    await page.getByText('service_001 has no metrics.').waitFor()
    expect(await page.getByRole('application').count()).toBe(0)
    await tables(page).getByRole('button', { name: 'service_002' }).click()
    await page.getByRole('heading', { name: 'service_002' }).waitFor()
    await page.getByText('Loading …').waitFor()
    expect(await page.getByText('service_001 has no metrics.').count()).toBe(0)
  })
})

import { VirtualClock } from '@isotherm/runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { remoteShop } from '../remote/remote.fixture.js'
import { barriersOf } from './axe.fixture.js'
import { hasChromium, openPage, served, watchedPage } from './browser.fixture.js'

describe.skipIf(!hasChromium)('the console of a distant endpoint', () => {
  let remote: Awaited<ReturnType<typeof remoteShop>>
  let shown: Awaited<ReturnType<typeof served>>
  beforeAll(async () => {
    remote = await remoteShop()
    // Its own engine only serves the page.
    shown = await served({ clock: new VirtualClock(0) }, remote.source)
  })
  afterAll(async () => {
    await shown.local.close()
    await remote.local.close()
  })

  it('shows keys by the minute, how late they are, and what throttled', async () => {
    const { page, misdeeds } = await watchedPage()
    await page.goto(`${shown.address}?table=shop`)
    await page.locator('.row', { hasText: '/sale' }).first().waitFor()
    await page.getByRole('list', { name: 'About these figures' }).getByText('averages of minutes').waitFor()
    expect(await barriersOf(page)).toEqual([])
    const spans = await page.getByLabel('Time').locator('option').allTextContents()
    expect(spans).toEqual(['last 3 h', 'last 30 min', 'last 1 day', 'last 1 week', 'last 4 weeks'])
    await page.getByRole('toolbar').getByRole('button', { name: 'Partitions' }).click()
    await page.getByText('the whole table, or index', { exact: true }).waitFor()
    await page
      .getByRole('list', { name: 'About these figures' })
      .getByText('does not say how its tables are divided')
      .waitFor()
    await page.getByRole('button', { name: 'Throttling', exact: true }).click()
    await page.getByText('TableWriteKeyRangeThroughputExceeded').first().waitFor()
    expect(misdeeds).toEqual({ foreign: [], errors: [] })
  })

  it('says why there are no keys and no partitions', async () => {
    const page = await openPage({ viewport: { width: 800, height: 700 }, colorScheme: 'dark' })
    await page.goto(`${shown.address}?table=quiet`)
    await page.getByText('Contributor Insights is off for quiet').waitFor()
    await page.getByRole('navigation', { name: 'Views of the table' }).getByText('Partitions').click()
    await page.getByText('does not say how its tables are divided').waitFor()
    expect(await barriersOf(page)).toEqual([])
  })

  it('asks for what was refused less often than each second', async () => {
    const page = await openPage()
    let asked = 0
    await page.route('**/v1/heat?*', (route) => {
      asked += 1
      const error = { code: 'source.failed', message: 'There are no metrics here.' }
      return route.fulfill({ status: 502, json: { error } })
    })
    await page.goto(`${shown.address}?table=shop`)
    await page.getByText('There are no metrics here.').waitFor()
    await page.waitForTimeout(1_000)
    const before = asked
    await page.waitForTimeout(4_000)
    // Each second would be four times. The waits double, and a busy machine moves one into this time.
    expect(asked - before).toBeLessThanOrEqual(2)
  })

  it('waits for an answer that takes longer than a second, and asks once meanwhile', async () => {
    const page = await openPage()
    let beforeTheFirstAnswer = 0
    let isAnswered = false
    await page.route('**/v1/tables', async (route) => {
      if (!isAnswered) beforeTheFirstAnswer += 1
      await new Promise((resolve) => setTimeout(resolve, 3_500))
      isAnswered = true
      // The page may have given the request up.
      await route.continue().catch(() => undefined)
    })
    await page.goto(shown.address)
    await page.locator('.name', { hasText: 'shop' }).first().waitFor()
    expect(beforeTheFirstAnswer).toBe(1)
  })

  it('also in a view of one table', async () => {
    const page = await openPage()
    await page.route('**/v1/shards?*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 3_500))
      await route.continue().catch(() => undefined)
    })
    await page.goto(`${shown.address}?table=shop&tab=shards`)
    await page.getByRole('row', { name: /\/sale/ }).waitFor()
  })

  it('gives up an answer that does not come, says so, and asks again', async () => {
    const page = await openPage()
    await page.clock.install()
    let asked = 0
    let answer = () => {}
    // The text is there until the next answer, which must not come before it is looked for.
    const isSeen = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/v1/tables', async (route) => {
      asked += 1
      if (asked === 1) return
      await isSeen
      await route.continue()
    })
    await page.goto(`${shown.address}?table=shop`)
    await expect.poll(() => asked).toBe(1)
    await page.clock.fastForward(61_000)
    await page.getByText(`${shown.endpoint.url} has not answered for 60 s.`).waitFor()
    answer()
    await page.locator('.name', { hasText: 'shop' }).first().waitFor()
    await page.getByText('has not answered').waitFor({ state: 'detached' })
  })

  it('shows the shard map with its history', async () => {
    const page = await openPage()
    await page.goto(`${shown.address}?table=shop&tab=shards`)
    const row = page.getByRole('row', { name: /\/sale/ })
    await row.getByText('1 → 4').waitFor()
    await page.getByLabel('Key contains').fill('nothing')
    await page.getByText('0 of 1 keys of shop_shard_map').waitFor()
    expect(await barriersOf(page)).toEqual([])
    await page.goto(`${shown.address}?table=quiet&tab=shards`)
    await page.getByText('quiet has no shard map').waitFor()
  })
})

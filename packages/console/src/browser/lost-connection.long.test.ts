import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { describe, expect, it } from 'vitest'
import { consoleSite } from '../server/console-site.js'
import { localSource } from '../source/local-source.js'
import { barriersOf } from './axe.fixture.js'
import { builtPages, hasChromium, openPage } from './browser.fixture.js'

const WAITING = 'Not available until the server answers again.'

describe.skipIf(!hasChromium)('a page whose server goes away', () => {
  /** A process with a table, at a port; 0 for any. */
  async function started(port: number, ...others: readonly string[]) {
    const local = createLocal({ heat: true })
    const client = local.client()
    for (const table of ['orders', ...others]) await client.send(createTable(table, ['id']))
    await client.send(new PutItemCommand({ TableName: 'orders', Item: { id: { S: 'the first' } } }))
    const site = consoleSite({ source: localSource(local), pages: await builtPages() })
    const { url } = await local.listen({ port, site })
    return { local, url }
  }

  it('says so in each view, and has everything again when the server is back', async () => {
    const first = await started(0)
    const page = await openPage()
    page.setDefaultTimeout(30_000)
    await page.goto(`${first.url}/_isotherm/?table=orders`)
    const state = page.locator('.connection')
    await state.getByText('Live').waitFor()
    await page.locator('.row').first().waitFor()
    await first.local.close()
    await state.getByText('Disconnected').waitFor()
    // The figures are from before, and stay.
    expect(await page.locator('.row').count()).toBeGreaterThan(0)
    const views = page.getByRole('navigation', { name: 'Views of the table' })
    for (const view of ['Partitions', 'Shards', 'Advice']) {
      await views.getByRole('button', { name: view }).click()
      await page.getByText(WAITING).waitFor()
    }
    expect(await barriersOf(page)).toEqual([])
    const port = Number(new URL(first.url).port)
    const second = await started(port)
    await page.getByRole('link', { name: 'uncapped-on-demand' }).waitFor()
    await second.local.close()
    await state.getByText('Disconnected').waitFor()
    await views.getByRole('button', { name: 'Items' }).click()
    await page.getByRole('alert').getByText(`${first.url} does not answer.`).waitFor()
    const third = await started(port)
    await page.getByRole('row', { name: /the first/ }).waitFor()
    await state.getByText('Live').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await third.local.close()
  })
  it('does not wait for an answer of before', async () => {
    const first = await started(0)
    const page = await openPage()
    page.setDefaultTimeout(30_000)
    await page.goto(`${first.url}/_isotherm/?table=orders`)
    await page.locator('.name', { hasText: 'orders' }).first().waitFor()
    let asked = 0
    // As behind a connection that was lost without an error, on which nothing comes any more.
    await page.route('**/v1/tables', (route) => (++asked === 1 ? undefined : route.continue()))
    await expect.poll(() => asked).toBe(1)
    await first.local.close()
    await page.locator('.connection').getByText('Disconnected').waitFor()
    const second = await started(Number(new URL(first.url).port), 'later')
    await page.locator('.name', { hasText: 'later' }).first().waitFor()
    await second.local.close()
  })
})

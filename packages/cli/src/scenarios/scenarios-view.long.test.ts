import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { barriersOf } from '../../../console/src/browser/axe.fixture.js'
import { buildInstalledPages, hasChromium, openPage } from '../../../console/src/browser/browser.fixture.js'
import { type StartedCommand, startedCommand } from '../started-command.fixture.js'

/** The command as it is installed: a rehearsal is a thread, and a thread runs what is built. */
describe.skipIf(!hasChromium)('scenarios on the page of isotherm local', () => {
  let command: StartedCommand

  beforeAll(async () => {
    await buildInstalledPages()
    command = await startedCommand(['local', '--port', '0'], /^Console: (\S+)\s/m)
  })
  afterAll(async () => {
    command.stop()
  })

  async function opened(query = ''): Promise<Page> {
    const page = await openPage()
    page.setDefaultTimeout(45_000)
    await page.goto(`${command.address}${query}`)
    return page
  }

  it('runs one on virtual time, and shows before and after side by side', async () => {
    const page = await opened()
    await page.getByRole('button', { name: 'Run a scenario' }).click()
    await page.getByRole('combobox', { name: 'Scenario' }).selectOption('Campaign counter')
    await page.getByRole('spinbutton', { name: /^scale/ }).fill('0.4')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.locator('.run-state.done').waitFor()
    const figures = page.getByRole('region', { name: 'Figures of the run' })
    const value = await figures.getByRole('row', { name: /value of the counter/ }).textContent()
    expect(value).toMatch(/[1-9]/)
    const before = page.getByRole('region', { name: 'one item, ADD' })
    expect(await before.textContent()).toMatch(/write units accepted: [1-9][\d,]*; requests throttled: [1-9]/)
    await page.getByRole('region', { name: 'isotherm/counter' }).locator('canvas').waitFor()
    expect(await barriersOf(page)).toEqual([])
  })

  it('refuses a parameter before it is sent, and cancels a run', async () => {
    const page = await opened('?tab=scenarios')
    await page.getByRole('combobox', { name: 'Scenario' }).selectOption('Flash sale')
    await page.getByRole('spinbutton', { name: /^scale/ }).fill('9')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    expect(await page.locator('input:invalid').count()).toBe(1)
    await page.getByRole('spinbutton', { name: /^scale/ }).fill('1')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText(/one key per product: [\d,]+ requests/).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.locator('.run-state.cancelled').waitFor()
  })

  it('runs the hot file live: its row goes red, gets shards, and cools', async () => {
    const page = await opened('?tab=scenarios')
    await page.getByRole('combobox', { name: 'Scenario' }).selectOption('Hot file in an audit log')
    const short = {
      'viral writes per second': 1_400,
      'calm seconds': 1,
      'ramp seconds': 1,
      'hold seconds': 40,
    }
    for (const [name, value] of Object.entries(short))
      await page.getByRole('spinbutton', { name }).fill(String(value))
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('button', { name: 'hot_file_1_dynamic', exact: true }).click()
    const row = page.locator('.row', { hasText: '/favicon.ico' }).first()
    await row.locator('b.hot').waitFor()
    await page
      .getByRole('button', { name: /\/favicon\.ico: 1 → \d+ shards, because it was throttled/ })
      .waitFor()
    await page.getByRole('button', { name: /Open \/favicon\.ico, \d+ shards/ }).waitFor()
    await page
      .locator('.findings .cooled', { hasText: '/favicon.ico was throttled and has cooled' })
      .waitFor()
    // The table without shards, at the same time: still at the limit, with the advice that would help.
    await page
      .getByRole('navigation', { name: 'Tables' })
      .getByRole('button', { name: /hot_file_1_one_key/ })
      .click()
    await page
      .locator('.findings .hot', { hasText: /\/favicon\.ico is at the limit.*Give this key \d+ shards/ })
      .waitFor()
    await page
      .getByRole('navigation', { name: 'Views of the table' })
      .getByRole('button', { name: 'Scenarios' })
      .click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.locator('.run-state.cancelled').waitFor()
  })
})

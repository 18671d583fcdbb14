import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPage } from '../../../console/build.js'
import { barriersOf } from '../../../console/src/browser/axe.fixture.js'

const CHROMIUM = '/usr/bin/chromium'
const mustRun = process.env.ISOTHERM_SKIP_NOTHING === 'true'
const COMMAND = fileURLToPath(new URL('../../bin/isotherm.js', import.meta.url))

/** The command as it is installed: a rehearsal is a thread, and a thread runs what is built. */
describe.skipIf(!existsSync(CHROMIUM) && !mustRun)('scenarios on the page of isotherm local', () => {
  let command: ChildProcess
  let browser: Browser
  let address = ''

  beforeAll(async () => {
    await buildPage()
    command = spawn(process.execPath, [COMMAND, 'local', '--port', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    address = await new Promise((resolve) => {
      let text = ''
      command.stdout?.on('data', (part: Buffer) => {
        text += part.toString()
        const found = /^Console: (\S+)/m.exec(text)?.[1]
        if (found !== undefined) resolve(found)
      })
    })
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser.close()
    command.kill('SIGINT')
  })

  async function opened(query = ''): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.setDefaultTimeout(45_000)
    await page.goto(`${address}${query}`)
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
    await page.close()
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
    await page.close()
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
    await page.close()
  })
})

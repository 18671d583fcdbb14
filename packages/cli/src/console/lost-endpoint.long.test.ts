import { PutItemCommand, UpdateContributorInsightsCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal, type Local } from '@isotherm/local'
import { SystemClock, VirtualClock } from '@isotherm/runtime'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { barriersOf } from '../../../console/src/browser/axe.fixture.js'
import { buildInstalledPages, hasChromium, openPage } from '../../../console/src/browser/browser.fixture.js'
import { type StartedCommand, startedCommand } from '../started-command.fixture.js'

const MINUTE = 60_000

/** The command as it is installed, in front of an engine that goes away and comes back. */
describe.skipIf(!hasChromium)('the page of isotherm console whose endpoint is lost', () => {
  const engines: Local[] = []
  let command: StartedCommand | undefined
  beforeAll(async () => {
    await buildInstalledPages()
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'any')
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    command?.stop()
    for (const engine of engines) await engine.close()
  })

  /** An engine with traffic some minutes ago. */
  async function engine(port: number, state: string): Promise<string> {
    const clock = new VirtualClock(Math.floor(new SystemClock().now() / MINUTE) * MINUTE - 4 * MINUTE)
    const local = createLocal({ clock })
    engines.push(local)
    const client = local.client()
    await client.send(createTable('orders', ['id']))
    const insights = { TableName: 'orders', ContributorInsightsAction: 'ENABLE' } as const
    await client.send(new UpdateContributorInsightsCommand(insights))
    const Item = { id: { S: 'a' }, state: { S: state } }
    await clock.run(async () => {
      for (let at = 0; at < 50; at++) await client.send(new PutItemCommand({ TableName: 'orders', Item }))
      await clock.sleep(4 * MINUTE)
    })
    return (await local.listen({ port })).url
  }

  const viewOf = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Views of the table' }).getByRole('button', { name }).click()

  it('says so in each view, keeps its figures, and has everything again when the endpoint is back', async () => {
    const endpoint = await engine(0, 'open')
    command = await startedCommand(
      ['console', '--endpoint', endpoint, '--port', '0', '--json'],
      /"console":"([^"]+)"/,
    )
    const page = await openPage()
    await page.goto(`${command.address}?table=orders`)
    await page.locator('.row', { hasText: 'a' }).first().waitFor()
    await page.getByRole('status').getByText('Live').waitFor()
    await engines[0]?.close()
    const notice = page.getByRole('alert').filter({ hasText: `${endpoint} has not answered since` })
    await notice
      .getByText(/since \w+ \d+ \d\d:\d\d:\d\d\. The figures are from before\. Trying again/)
      .waitFor()
    await page.getByRole('status').getByText('No answer').waitFor()
    expect(await page.locator('.row', { hasText: 'a' }).count()).toBeGreaterThan(0)
    expect(await page.locator('main.old canvas').count()).toBeGreaterThan(0)
    expect(await barriersOf(page)).toEqual([])
    await viewOf(page, 'Advice')
    await notice.waitFor()
    await page.getByRole('link', { name: 'uncapped-on-demand' }).waitFor()
    await viewOf(page, 'Items')
    await page.getByText('The endpoint that requests are forwarded to cannot be reached').waitFor()
    await engine(Number(new URL(endpoint).port), 'sent')
    await notice.waitFor({ state: 'detached' })
    await page.getByRole('status').getByText('Live').waitFor()
    await page.getByRole('row', { name: /sent/ }).waitFor()
    await viewOf(page, 'Heat')
    await page.locator('.row', { hasText: 'a' }).first().waitFor()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    expect(await page.locator('main.old').count()).toBe(0)
  })
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { barriersOf } from '../../../console/src/browser/axe.fixture.js'
import { buildInstalledPages, hasChromium, openPage } from '../../../console/src/browser/browser.fixture.js'
import { type StartedCommand, startedCommand } from '../started-command.fixture.js'

const CONFIG = 'tables: { log: { partitionKey: file, sortKey: at, suffix: random, shards: { fixed: 3 } } }\n'

/** The command as it is installed, in front of an engine. */
describe.skipIf(!hasChromium)('the console of isotherm proxy in a browser', () => {
  const local = createLocal()
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-proxy-page-'))
  let command: StartedCommand
  beforeAll(async () => {
    await buildInstalledPages()
    const upstream = (await local.listen({ port: 0 })).url
    await local.client().send(createTable('log', ['file', 'at']))
    const config = join(folder, 'isotherm.yaml')
    writeFileSync(config, CONFIG)
    const args = ['proxy', '--config', config, '--upstream', upstream, '--port', '0', '--console', '--json']
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'any')
    vi.stubEnv('AWS_REGION', 'us-east-1')
    command = await startedCommand(args, /"url":"([^"]+)"/)
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    command.stop()
    await local.close()
    rmSync(folder, { recursive: true })
  })

  it('shows the logical keys of its own requests, and items with their logical keys', async () => {
    const client = new DynamoDBClient({
      endpoint: command.address,
      region: 'us-east-1',
      credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
    })
    const page = await openPage()
    await page.goto(`${command.address}/_isotherm/?table=log`)
    await page.getByText('No request for this table yet.').waitFor()
    for (let at = 0; at < 40; at++) {
      const Item = { file: { S: at % 4 === 0 ? '/page' : '/sale' }, at: { S: String(at) } }
      await client.send(new PutItemCommand({ TableName: 'log', Item }))
    }
    const writes = page.getByRole('region', { name: 'Writes of the process' })
    const first = writes.locator('tbody tr').first()
    await expect.poll(() => first.textContent()).toMatch(/^\/sale3/)
    expect(await barriersOf(page)).toEqual([])
    await page
      .getByRole('navigation', { name: 'Views of the table' })
      .getByRole('button', { name: 'Items' })
      .click()
    await page.getByLabel('file', { exact: true }).fill('/sale')
    await page.getByRole('button', { name: 'Query', exact: true }).click()
    await expect.poll(() => page.locator('.items tbody tr').count()).toBe(30)
    expect(await page.getByText('/sale_').count()).toBe(0)
    client.destroy()
  })
})

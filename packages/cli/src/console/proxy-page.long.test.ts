import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CreateTableCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createLocal } from '@isotherm/local'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildPage } from '../../../console/build.js'
import { barriersOf } from '../../../console/src/browser/axe.fixture.js'

const CHROMIUM = '/usr/bin/chromium'
const mustRun = process.env.ISOTHERM_SKIP_NOTHING === 'true'
const COMMAND = fileURLToPath(new URL('../../bin/isotherm.js', import.meta.url))
const CONFIG = 'tables: { log: { partitionKey: file, sortKey: at, suffix: random, shards: { fixed: 3 } } }\n'

/** The command as it is installed, in front of an engine. */
describe.skipIf(!existsSync(CHROMIUM) && !mustRun)('the console of isotherm proxy in a browser', () => {
  const local = createLocal()
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-proxy-page-'))
  let command: ChildProcess
  let browser: Browser
  let url = ''
  beforeAll(async () => {
    await buildPage()
    const upstream = (await local.listen({ port: 0 })).url
    const keys = [
      { AttributeName: 'file', KeyType: 'HASH' as const },
      { AttributeName: 'at', KeyType: 'RANGE' as const },
    ]
    await local.client().send(
      new CreateTableCommand({
        TableName: 'log',
        KeySchema: keys,
        AttributeDefinitions: keys.map(({ AttributeName }) => ({ AttributeName, AttributeType: 'S' })),
        BillingMode: 'PAY_PER_REQUEST',
      }),
    )
    const config = join(folder, 'isotherm.yaml')
    writeFileSync(config, CONFIG)
    const args = ['proxy', '--config', config, '--upstream', upstream, '--port', '0', '--console', '--json']
    const env = {
      ...process.env,
      AWS_ACCESS_KEY_ID: 'any',
      AWS_SECRET_ACCESS_KEY: 'any',
      AWS_REGION: 'us-east-1',
    }
    command = spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'pipe', 'inherit'], env })
    url = await new Promise((resolve, reject) => {
      let text = ''
      command.once('exit', (code) => reject(new Error(`The command ended with ${code}.`)))
      command.stdout?.on('data', (part: Buffer) => {
        text += part.toString()
        const found = /"url":"([^"]+)"/.exec(text)?.[1]
        if (found !== undefined) resolve(found)
      })
    })
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser.close()
    command.kill('SIGINT')
    await local.close()
    rmSync(folder, { recursive: true })
  })

  it('shows the logical keys of its own requests, and items with their logical keys', async () => {
    const client = new DynamoDBClient({
      endpoint: url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
    })
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.setDefaultTimeout(30_000)
    await page.goto(`${url}/_isotherm/?table=log`)
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
    await page.close()
  })
})

import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { barriersOf } from '../../../console/src/browser/axe.fixture.js'
import { buildInstalledPages, hasChromium, openPage } from '../../../console/src/browser/browser.fixture.js'
import { type StartedCommand, startedCommand } from '../started-command.fixture.js'

const READ_ONLY = 'This console only reads. To change items and tables, start it with --allow-writes.'

/** The command as it is installed, in front of an engine that stands for a distant endpoint. */
describe.skipIf(!hasChromium)('items through isotherm console in a browser', () => {
  const local = createLocal()
  const commands: StartedCommand[] = []
  let endpoint = ''
  beforeAll(async () => {
    await buildInstalledPages()
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'any')
    endpoint = (await local.listen({ port: 0 })).url
    await local.client().send(createTable('orders', ['id']))
    const Item = { id: { S: 'a' }, state: { S: 'open' } }
    await local.client().send(new PutItemCommand({ TableName: 'orders', Item }))
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    for (const command of commands) command.stop()
    await local.close()
  })

  async function opened(...flags: readonly string[]): Promise<Page> {
    const args = ['console', '--endpoint', endpoint, '--port', '0', '--json', ...flags]
    const command = await startedCommand(args, /"console":"([^"]+)"/)
    commands.push(command)
    const page = await openPage()
    await page.goto(`${command.address}?table=orders&tab=items`)
    await page.getByRole('row', { name: /open/ }).waitFor()
    return page
  }

  it('can be read, and nothing offers to change them', async () => {
    const page = await opened()
    await page.getByText(READ_ONLY).waitFor()
    for (const name of ['New item', 'New table'])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    await page.getByRole('button', { name: 'Open a' }).click()
    const editor = page.getByRole('dialog', { name: 'Item' })
    expect(await editor.getByRole('textbox').isEditable()).toBe(false)
    expect(await editor.getByRole('button', { name: /Save|Delete/ }).count()).toBe(0)
    expect(await barriersOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page
      .getByRole('navigation', { name: 'Views of the table' })
      .getByRole('button', { name: 'Definition' })
      .click()
    await page.getByText('id (S, partition)').waitFor()
    expect(await page.getByRole('button', { name: /Purge|Delete/ }).count()).toBe(0)
  })

  it('can be changed with --allow-writes', async () => {
    const page = await opened('--allow-writes')
    await page.getByRole('button', { name: 'Open a' }).click()
    const editor = page.getByRole('dialog', { name: 'Item' })
    const text = await editor.getByRole('textbox').inputValue()
    await editor.getByRole('textbox').fill(text.replace('open', 'sent'))
    await editor.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: /sent/ }).waitFor()
    const { Item } = await local
      .client()
      .send(new GetItemCommand({ TableName: 'orders', Key: { id: { S: 'a' } } }))
    expect(Item).toMatchObject({ state: { S: 'sent' } })
  })
})

import {
  CreateTableCommand,
  DescribeTableCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { barriersOf } from './axe.fixture.js'
import { hasChromium, served, watchedPage } from './browser.fixture.js'

const ITEMS = 60

describe.skipIf(!hasChromium)('tables in a browser', () => {
  let shop: Awaited<ReturnType<typeof served>>
  beforeAll(async () => {
    shop = await served()
    const client = shop.local.client()
    for (const name of ['audit_log', 'audit_log_shard_map', 'audit_notes', 'sessions'])
      await client.send(createTable(name, ['id']))
    for (let number = 0; number < ITEMS; number++) {
      const Item = { id: { S: `/sale_${1 + (number % 4)}${number}` } }
      await client.send(new PutItemCommand({ TableName: 'sessions', Item }))
    }
  })
  afterAll(async () => {
    await shop.local.close()
  })

  async function opened(query: string, options = {}) {
    const { page, misdeeds } = await watchedPage(options)
    await page.goto(`${shop.address}?${query}`)
    await page.getByRole('status').getByText('Live').waitFor()
    return { page, misdeeds }
  }
  const described = async (TableName: string) =>
    (await shop.local.client().send(new DescribeTableCommand({ TableName }))).Table
  const count = async (TableName: string) =>
    (await shop.local.client().send(new ScanCommand({ TableName, Select: 'COUNT' }))).Count

  it('are found by words of their names', async () => {
    const { page } = await opened('table=sessions')
    const entries = page.getByRole('navigation', { name: 'Tables' }).locator('li .name')
    await expect.poll(() => entries.count()).toBe(4)
    await page.getByLabel('Find tables by name').fill('LOG aud')
    await expect.poll(() => entries.allTextContents()).toEqual(['audit_log', 'audit_log_shard_map'])
    expect(new URL(page.url()).searchParams.get('filter')).toBe('LOG aud')
  })

  it('are created from a form, with indexes, time to live and a stream', async () => {
    const { page, misdeeds } = await opened('table=sessions')
    await page.getByRole('button', { name: 'New table' }).click()
    const form = page.getByRole('form', { name: 'New table' })
    const table = form.getByRole('group', { name: 'Table' })
    await table.getByLabel('Name').fill('made')
    await table.getByLabel('Partition key', { exact: true }).fill('customer')
    await table.getByLabel('Sort key', { exact: true }).fill('number')
    await table.getByLabel('Sort key: type').selectOption('number')
    await form.getByRole('button', { name: 'Add index' }).click()
    const index = form.getByRole('group', { name: 'Index 1' })
    await index.getByLabel('Name').fill('by_state')
    await index.getByLabel('Partition key', { exact: true }).fill('state')
    await index.getByLabel('Projection').selectOption('keys only')
    await form.getByLabel('Time to live: attribute').fill('expires')
    await form.getByLabel('Stream').selectOption('NEW_IMAGE')
    expect(await barriersOf(page)).toEqual([])
    await form.getByRole('button', { name: 'Create table' }).click()
    await page.getByText('No item was found.').waitFor()
    await page.getByRole('heading', { name: 'made' }).waitFor()
    expect(await described('made')).toMatchObject({
      KeySchema: [{ AttributeName: 'customer' }, { AttributeName: 'number' }],
      GlobalSecondaryIndexes: [{ IndexName: 'by_state', Projection: { ProjectionType: 'KEYS_ONLY' } }],
      StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
    })
    await page
      .getByRole('navigation', { name: 'Views of the table' })
      .getByRole('button', { name: 'Definition' })
      .click()
    await page.getByText('expires, enabled').waitFor()
    expect(misdeeds).toEqual({ foreign: [], errors: [] })
  })

  it('are created from JSON, and a refusal is shown', async () => {
    const { page } = await opened('tab=create')
    await page.getByRole('button', { name: 'JSON of CreateTable' }).click()
    const text = page.getByLabel('Input of CreateTable')
    await text.fill('{ "TableName": "x" }')
    await page.getByRole('button', { name: 'Create table' }).click()
    await page.getByRole('alert').getByText('ValidationException').waitFor()
    const input = {
      TableName: 'from_json',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'N' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }
    await text.fill(JSON.stringify(input))
    await page.getByRole('button', { name: 'Create table' }).click()
    await page.getByRole('heading', { name: 'from_json' }).waitFor()
  })

  it('show their definition, which makes the same table again', async () => {
    const { page } = await opened('table=sessions&tab=definition', {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await page.getByText('id (S, partition)').waitFor()
    await page.getByText(/^on-demand, warm: 12,000 read and 4,000 write units\/s/).waitFor()
    await page.getByRole('button', { name: 'Copy JSON' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()'))
    await shop.local.client().send(new CreateTableCommand({ ...copied, TableName: 'sessions_again' }))
    await page.getByRole('button', { name: 'DescribeTable' }).click()
    expect(await page.getByLabel('Definition as JSON').inputValue()).toContain('"TableArn"')
    expect(await barriersOf(page)).toEqual([])
  })

  it('are purged after their name was typed', async () => {
    const { page } = await opened('table=sessions&tab=definition')
    expect(await count('sessions')).toBe(ITEMS)
    await page.getByRole('button', { name: 'Purge …' }).click()
    const dialog = page.getByRole('dialog', { name: 'Purge sessions' })
    const confirm = dialog.getByRole('button', { name: 'Delete all items for good' })
    await dialog.getByRole('textbox').fill('session')
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill('sessions')
    expect(await barriersOf(page)).toEqual([])
    await confirm.click()
    await dialog.waitFor({ state: 'detached' })
    expect(await count('sessions')).toBe(0)
    expect(await described('sessions')).toMatchObject({ TableStatus: 'ACTIVE' })
  })

  it('are deleted by keyboard alone, several at once, and a shard map only after a warning', async () => {
    const { page } = await opened('tab=tables&filter=audit')
    await page.getByRole('checkbox', { name: 'Select audit_log_shard_map' }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Delete selected …' }).focus()
    await page.keyboard.press('Enter')
    await page
      .getByRole('dialog')
      .getByText('This is the shard map of audit_log. Applications cannot find their items')
      .waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.getByRole('checkbox', { name: 'Select all tables' }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Delete selected …' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Type 3 tables to confirm' }).focus()
    await page.keyboard.type('3 tables')
    await page.keyboard.press('Enter')
    await page.getByText("No table name matches 'audit'.").waitFor()
    await expect(described('audit_log')).rejects.toThrow('not found')
    expect(await described('sessions')).toBeDefined()
  })

  it.each([
    { width: 800, height: 700, colorScheme: 'dark' },
    { width: 3840, height: 2160, colorScheme: 'light' },
  ] as const)('have no barrier that axe finds, at $width pixels', async ({ colorScheme, ...viewport }) => {
    const { page } = await opened('tab=tables', { viewport, colorScheme })
    await page
      .getByRole('row', { name: /sessions/ })
      .first()
      .waitFor()
    expect(await barriersOf(page)).toEqual([])
    for (const tab of ['create', 'definition&table=sessions', 'items&table=sessions']) {
      await page.goto(`${shop.address}?tab=${tab}`)
      await page
        .getByRole(tab === 'create' ? 'form' : 'region')
        .first()
        .waitFor()
      expect(await barriersOf(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    }
  })
})

import { readFileSync } from 'node:fs'
import { GetItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { barriersOf } from './axe.fixture.js'
import { hasChromium, openPage, served, watchedPage } from './browser.fixture.js'

const ORDERS = 120

describe.skipIf(!hasChromium)('the items of a table in a browser', () => {
  let shop: Awaited<ReturnType<typeof served>>
  beforeAll(async () => {
    shop = await served()
    const client = shop.local.client()
    await client.send(createTable('orders', ['customer', 'number:N'], { global: { by_state: ['state'] } }))
    for (let number = 0; number < ORDERS; number++) {
      const Item = {
        customer: { S: number < 3 ? 'acme' : `customer ${number}` },
        number: { N: String(number) },
        state: { S: number === 1 ? 'open' : 'paid' },
        tags: { SS: ['gift', 'new'] },
      }
      await client.send(new PutItemCommand({ TableName: 'orders', Item }))
    }
  })
  afterAll(async () => {
    await shop.local.close()
  })

  async function opened(query = '') {
    const { page, misdeeds } = await watchedPage()
    await page.goto(`${shop.address}?table=orders&tab=items${query}`)
    await page.locator('.items tbody tr').first().waitFor()
    return { page, misdeeds, rows: page.locator('.items tbody tr') }
  }

  const stored = async (number: string) => {
    const Key = { customer: { S: 'acme' }, number: { N: number } }
    const { Item } = await shop.local.client().send(new GetItemCommand({ TableName: 'orders', Key }))
    return Item
  }

  it('are browsed page by page, with what it costs', async () => {
    const { page, misdeeds, rows } = await opened()
    const status = page.locator('.pager').getByRole('status')
    expect(await status.textContent()).toMatch(/^Page 1: 50 items, [\d.]+ read units$/)
    await page.getByRole('button', { name: 'Next page' }).click()
    await status.getByText('Page 2: 50 items').waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await status.getByText('Page 3: 20 items').waitFor()
    expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Previous page' }).click()
    await status.getByText('Page 2: 50 items').waitFor()
    expect(await rows.count()).toBe(50)
    expect(misdeeds).toEqual({ foreign: [], errors: [] })
  })

  it('are queried by key, filtered, and read from an index', async () => {
    const { page, rows } = await opened()
    await page.getByLabel('customer', { exact: true }).fill('acme')
    await page.getByRole('button', { name: 'Query', exact: true }).click()
    await expect.poll(() => rows.count()).toBe(3)
    expect(await rows.first().textContent()).toMatch(/S acmeN 0/)
    await page.getByLabel('How number is compared').selectOption('between')
    await page.getByLabel('number between').fill('1')
    await page.getByLabel('number at most').fill('2')
    await page.getByRole('button', { name: 'Query', exact: true }).click()
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByLabel('number between').fill('')
    await page.getByRole('button', { name: 'Query', exact: true }).click()
    await expect.poll(() => rows.count()).toBe(3)
    await page.getByLabel('Newest first').check()
    await page.getByRole('button', { name: 'Query', exact: true }).click()
    await expect.poll(() => rows.first().textContent()).toMatch(/S acmeN 2/)
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByLabel('Attribute of filter 1').fill('state')
    await page.getByLabel('Comparison of filter 1').selectOption('≠')
    await page.getByLabel('Value of filter 1').fill('paid')
    await page.getByRole('button', { name: 'Query', exact: true }).click()
    await expect.poll(() => rows.count()).toBe(1)
    // The query is in the address.
    await page.reload()
    await expect.poll(() => rows.count()).toBe(1)
    expect(await page.getByLabel('Value of filter 1').inputValue()).toBe('paid')
    await page.goBack()
    await expect.poll(() => rows.count()).toBe(3)
    await page.getByRole('button', { name: 'by_state' }).click()
    await page.getByLabel('state', { exact: true }).fill('open')
    await page.getByRole('button', { name: 'Query', exact: true }).click()
    await expect.poll(() => rows.count()).toBe(1)
  })

  it('are not asked for with a filter that names no attribute', async () => {
    const { page, misdeeds, rows } = await opened()
    const before = await rows.count()
    const asked: string[] = []
    page.on('request', (request) => {
      const target = request.headers()['x-amz-target']
      if (target !== undefined) asked.push(target)
    })
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByLabel('Value of filter 2').fill('paid')
    await page.getByRole('button', { name: 'Scan', exact: true }).click()
    const row = page.locator('.filters li').nth(1)
    await row.getByRole('alert').getByText('Write the name of the attribute to compare').waitFor()
    const attribute = page.getByLabel('Attribute of filter 2')
    expect(await attribute.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
    expect(await attribute.getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByRole('alert').count()).toBe(1)
    expect(await barriersOf(page)).toEqual([])
    expect(asked).toEqual([])
    expect(await rows.count()).toBe(before)
    await attribute.fill('state')
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.getByLabel('Value of filter 2').fill('open')
    await page.getByRole('button', { name: 'Scan', exact: true }).click()
    await expect.poll(() => rows.count()).toBe(1)
    // An address may have such a filter too.
    asked.length = 0
    const items = encodeURIComponent('{"filters":[{"operator":"=","value":"paid"}]}')
    await page.goto(`${shop.address}?table=orders&tab=items&items=${items}`)
    await page.getByText('Filter 1 names no attribute.').waitFor()
    await page.locator('.filters li').getByRole('alert').waitFor()
    expect(asked.filter((target) => /Scan|Query/.test(target))).toEqual([])
    expect(misdeeds).toEqual({ foreign: [], errors: [] })
  })

  it('are changed and deleted after a question, and a mistake is explained', async () => {
    const { page, rows } = await opened()
    await page.getByLabel('customer', { exact: true }).fill('acme')
    await page.getByRole('button', { name: 'Query', exact: true }).click()
    await expect.poll(() => rows.count()).toBe(3)
    await rows.first().getByRole('button', { name: 'Open acme, 0' }).click()
    const editor = page.getByRole('dialog', { name: 'Item' })
    const text = editor.getByRole('textbox')
    const before = await text.inputValue()
    await text.fill('{ not json')
    await editor.getByRole('button', { name: 'Save' }).click()
    await editor.getByRole('alert').getByText('This is not JSON').waitFor()
    await text.fill(
      before.replace('"paid"', '"sent"').replace('"number": {\n    "N"', '"number": {\n    "S"'),
    )
    await editor.getByRole('button', { name: 'Save' }).click()
    await editor.getByRole('alert').getByText('ValidationException').waitFor()
    expect(await barriersOf(page)).toEqual([])
    await text.fill(before.replace('"paid"', '"sent"'))
    await editor.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => rows.first().textContent()).toContain('sent')
    expect(await stored('0')).toMatchObject({ state: { S: 'sent' } })
    await rows.nth(2).getByRole('button', { name: 'Open' }).click()
    await editor.getByRole('button', { name: 'Delete …' }).click()
    expect(await stored('2')).toBeDefined()
    await editor.getByRole('button', { name: 'Delete this item for good' }).click()
    await expect.poll(() => rows.count()).toBe(2)
    expect(await stored('2')).toBeUndefined()
  })

  it('are created, and never replace another one', async () => {
    const { page } = await opened()
    const create = async (number: string) => {
      await page.getByRole('button', { name: 'New item' }).click()
      const item = { customer: { S: 'acme' }, number: { N: number }, state: { S: 'new' } }
      await page.getByRole('dialog').getByRole('textbox').fill(JSON.stringify(item))
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    }
    await create('700')
    await expect.poll(() => stored('700')).toMatchObject({ state: { S: 'new' } })
    await create('1')
    await page.getByRole('alert').getByText('There is an item with this key already').waitFor()
    expect(await stored('1')).toMatchObject({ state: { S: 'open' } })
  })

  it('are written as plain JSON where that loses nothing, and linked to', async () => {
    const plain = { customer: 'acme', number: 900, state: 'new', lines: [{ sku: 'a', isGift: true }] }
    const { page } = await opened()
    const editor = page.getByRole('dialog', { name: 'Item' })
    await page.getByRole('button', { name: 'New item' }).click()
    await editor.getByRole('button', { name: 'Plain JSON' }).click()
    await editor.getByRole('textbox').fill(JSON.stringify(plain).replace('900', '900000000000000000000001'))
    await editor.getByRole('button', { name: 'Save' }).click()
    await editor.getByRole('alert').getByText('900000000000000000000001 has more digits').waitFor()
    await editor.getByRole('textbox').fill(JSON.stringify(plain))
    await editor.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => stored('900'))
      .toMatchObject({ lines: { L: [{ M: { isGift: { BOOL: true } } }] } })
    const key = encodeURIComponent('{"customer":{"S":"acme"},"number":{"N":"900"}}')
    await page.goto(`${shop.address}?table=orders&tab=items&item=${key}`)
    expect(await editor.getByRole('textbox').inputValue()).toContain('"N": "900"')
    await page.keyboard.press('Escape')
    await expect.poll(() => new URL(page.url()).searchParams.has('item')).toBe(false)
    // One with a set stays as it is.
    await page.getByLabel('customer', { exact: true }).fill('acme')
    await page.getByRole('button', { name: 'Query', exact: true }).click()
    await page.getByRole('button', { name: 'Open acme, 1', exact: true }).click()
    await editor.getByRole('button', { name: 'Plain JSON' }).click()
    await editor.getByRole('alert').getByText('Plain JSON has no sets').waitFor()
  })

  it('are not changed if somebody else changed them meanwhile', async () => {
    const { page } = await opened()
    const Item = { customer: { S: 'acme' }, number: { N: '800' }, state: { S: 'new' } }
    await shop.local.client().send(new PutItemCommand({ TableName: 'orders', Item }))
    await page.getByLabel('customer', { exact: true }).fill('acme')
    await page.getByRole('button', { name: 'Query', exact: true }).click()
    await page.getByRole('button', { name: 'Open acme, 800' }).click()
    const editor = page.getByRole('dialog', { name: 'Item' })
    const text = await editor.getByRole('textbox').inputValue()
    const meanwhile = { ...Item, state: { S: 'sent' } }
    await shop.local.client().send(new PutItemCommand({ TableName: 'orders', Item: meanwhile }))
    await editor.getByRole('textbox').fill(text.replace('new', 'lost'))
    await editor.getByRole('button', { name: 'Save' }).click()
    await editor.getByRole('alert').getByText('changed or deleted meanwhile').waitFor()
    expect(await stored('800')).toEqual(meanwhile)
  })

  it('are found by logical key, in all of its shards, in the order of the sort key', async () => {
    const client = shop.local.client()
    await client.send(createTable('log', ['file', 'at:N']))
    await client.send(createTable('log_shard_map', ['file']))
    for (let at = 0; at < 60; at++) {
      const Item = { file: { S: `/sale_${1 + (at % 3)}` }, at: { N: String(at) } }
      await client.send(new PutItemCommand({ TableName: 'log', Item }))
    }
    const Item = { file: { S: '/sale' }, number_of_shards: { N: '3' }, shard_history: { SS: ['1:1', '2:3'] } }
    await client.send(new PutItemCommand({ TableName: 'log_shard_map', Item }))
    const page = await openPage()
    await page.goto(`${shop.address}?table=log&tab=items`)
    const rows = page.locator('.items tbody tr')
    await page.getByLabel('file', { exact: true }).fill('/sale')
    await page.getByRole('button', { name: 'Query', exact: true }).click()
    await expect.poll(() => rows.count()).toBe(50)
    const cells = async (row: number) => (await rows.nth(row).locator('td').allTextContents()).slice(1)
    expect(await cells(0)).toEqual(['/sale', '1', 'S /sale_1', 'N 0'])
    expect(await cells(49)).toEqual(['/sale', '2', 'S /sale_2', 'N 49'])
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect.poll(() => rows.count()).toBe(10)
    await page.getByLabel('All shards of the key').uncheck()
    await page.getByLabel('file', { exact: true }).fill('/sale_2')
    await page.getByRole('button', { name: 'Query', exact: true }).click()
    await expect.poll(() => rows.count()).toBe(20)
    expect(await barriersOf(page)).toEqual([])
  })

  it('are exported as lines that can be imported', async () => {
    const { page, misdeeds } = await opened()
    const begun = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export page' }).click()
    const download = await begun
    expect(download.suggestedFilename()).toBe('orders.jsonl')
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\n')
    expect(lines).toHaveLength(50)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ Item: { customer: { S: expect.any(String) } } })
    const all = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export all pages' }).click()
    const whole = readFileSync(await (await all).path(), 'utf8')
      .trimEnd()
      .split('\n')
    await page.getByText(`${whole.length} items exported.`).waitFor()
    const { Count } = await shop.local
      .client()
      .send(new ScanCommand({ TableName: 'orders', Select: 'COUNT' }))
    expect(whole).toHaveLength(Count ?? 0)
    expect(misdeeds.errors).toEqual([])
  })
})

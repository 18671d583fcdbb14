import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createLocal } from '@isotherm/local'
import { chromium } from 'playwright-core'
import { expect, it } from 'vitest'
import { contactBook, createTables } from './contact-book.js'
import { contactsServer } from './contacts-server.js'
import { findBrowser } from './find-browser.fixture.js'

const browserPath = findBrowser()

const PEOPLE = [
  { name: '山田 太郎', company: '株式会社サンプル商事', phone: '03-1234-5678' },
  { name: '大山田 花子', company: 'サンプル工業', phone: '+81 90-1111-2222' },
  { name: 'Yamada Jirō', company: 'Acme Widgets Co., Ltd.' },
  { name: 'Ann <b>Bold</b>', company: 'Bell & Sons' },
]

it.skipIf(browserPath === undefined)(
  `a browser searches as the user types, and marks what matches${browserPath === undefined ? ' (skipped: no chromium at /usr/bin/chromium; set ISOTHERM_BROWSER)' : ''}`,
  async () => {
    const local = createLocal()
    const client = local.client()
    await createTables(client)
    const book = contactBook(client)
    const acme = book.tenant('acme')
    await acme.setTarget('category', 'vip', '顧客')
    for (const [at, person] of PEOPLE.entries()) await acme.create(person, { id: `p${at}` })
    const old = Array.from({ length: 25 }, (_, at) => ({
      id: `old${at}`,
      createdAt: at,
      fields: { name: `Old ${at}` },
      links: { category: ['vip'] },
    }))
    await acme.import(old)
    await book.tenant('other').create({ name: '山田 secret' })
    const server = contactsServer(book, 'acme').listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const browser = await chromium.launch({ executablePath: browserPath ?? '', args: ['--no-sandbox'] })
    try {
      const page = await browser.newPage()
      const errors: unknown[] = []
      page.on('pageerror', (error) => errors.push(error))
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
      await page.goto(`http://127.0.0.1:${port}/`)
      const names = page.locator('li span:first-child')
      const marks = page.locator('mark')
      const found = page.getByRole('status')
      const box = page.getByRole('searchbox', { name: 'Search' })
      await expect.poll(() => found.textContent()).toBe('20 or more found')
      expect((await names.allTextContents()).slice(0, 2)).toEqual(['Ann <b>Bold</b>', 'Yamada Jirō'])
      await page.getByRole('button', { name: 'More' }).click()
      await expect.poll(() => found.textContent()).toBe('29 found')

      // By the beginning, as it is typed; in half width, which is normalized.
      await box.pressSequentially('山田')
      await expect.poll(() => names.allTextContents()).toEqual(['山田 太郎'])
      expect(await marks.allTextContents()).toEqual(['山田'])
      await box.fill('ｻﾝﾌﾟﾙ')
      await expect.poll(() => names.allTextContents()).toEqual(['大山田 花子', '山田 太郎'])
      expect(await marks.allTextContents()).toEqual(['サンプル', 'サンプル'])
      await box.fill('090-11')
      await expect.poll(() => marks.allTextContents()).toEqual(['90-11'])

      // By any part.
      await page.getByLabel('contains').check()
      await box.fill('山田')
      await expect.poll(() => names.allTextContents()).toEqual(['大山田 花子', '山田 太郎'])
      await box.fill('widget')
      await expect.poll(() => marks.allTextContents()).toEqual(['Widget'])
      await box.fill('bold')
      await expect.poll(() => names.allTextContents()).toEqual(['Ann <b>Bold</b>'])
      await box.fill('nothing of the kind')
      await expect.poll(() => found.textContent()).toBe('0 found')

      // A category has another name.
      await page.getByLabel('begins with').check()
      await box.fill('取引')
      await expect.poll(() => found.textContent()).toBe('0 found')
      await acme.setTarget('category', 'vip', '取引先')
      await book.workOff()
      await box.fill('取引先')
      await expect.poll(() => found.textContent()).toBe('20 or more found')
      expect(errors).toEqual([])
    } finally {
      await browser.close()
      server.close()
      await local.close()
    }
  },
)

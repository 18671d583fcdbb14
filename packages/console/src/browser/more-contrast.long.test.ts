import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { VirtualClock } from '@isotherm/runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faintTextsOf } from './axe.fixture.js'
import { hasChromium, openPage, served, VIEWS } from './browser.fixture.js'
import { runSale } from './sale.fixture.js'

/** Of text, where it is to be easy to see, the criterion of WCAG is 7. Of what frames a control it is 3, and 4.5 is easy to see. */
const BORDER_CONTRAST = 4.5

const SCHEMES = ['light', 'dark'] as const

/** Controls with a border of less contrast to the page. It runs in the page. */
const FAINT_BORDERS = `(() => {
  const light = (colour) => {
    const [red, green, blue] = colour.match(/[\\d.]+/g).map((part) => {
      const share = part / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const contrast = (one, other) => {
    const [least, most] = [light(one), light(other)].sort((a, b) => a - b)
    return (most + 0.05) / (least + 0.05)
  }
  const page = getComputedStyle(document.body).backgroundColor
  return [...document.querySelectorAll('main :is(button, input, select, textarea), header button')]
    .filter((element) => element.checkVisibility())
    .map((element) => [element.outerHTML.slice(0, 100), getComputedStyle(element)])
    .filter(([, { borderTopWidth, borderTopColor }]) => parseFloat(borderTopWidth) > 0 && borderTopColor.startsWith('rgb('))
    .filter(([, { borderTopColor }]) => contrast(borderTopColor, page) < ${BORDER_CONTRAST})
    .map(([name]) => name)
})()`

describe.skipIf(!hasChromium)("the system's setting for more contrast", () => {
  const clock = new VirtualClock(Date.UTC(2026, 10, 23, 12))
  let shop: Awaited<ReturnType<typeof served>>
  beforeAll(async () => {
    shop = await served({ clock })
    await runSale(shop.local, clock)
    const client = shop.local.client()
    await client.send(createTable('orders', ['id'], { units: 5 }))
    await client.send(new PutItemCommand({ TableName: 'orders', Item: { id: { S: 'the first' } } }))
  })
  afterAll(async () => {
    await shop.local.close()
  })

  it('makes texts and borders easy to see, light and dark', async () => {
    const page = await openPage({ contrast: 'more' })
    const faint: Record<string, unknown> = {}
    for (const tab of VIEWS) {
      const table = tab === 'heat' || tab === 'throttling' ? 'shop' : 'orders'
      await page.goto(
        `${shop.address}?table=${table}&tab=${tab}&from=${clock.now() - 13_000}&to=${clock.now()}`,
      )
      await page.getByRole('button', { name: 'New table' }).first().waitFor()
      await page.waitForTimeout(1_000)
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme })
        await page.locator(`html[data-theme="${colorScheme}"]`).waitFor()
        faint[`${tab}, ${colorScheme}`] = [await faintTextsOf(page), await page.evaluate(FAINT_BORDERS)]
      }
    }
    const each = VIEWS.flatMap((tab) => SCHEMES.map((colorScheme) => `${tab}, ${colorScheme}`))
    expect(faint).toEqual(Object.fromEntries(each.map((name) => [name, [[], []]])))
  })
})

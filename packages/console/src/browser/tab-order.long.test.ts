import { VirtualClock } from '@isotherm/runtime'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, openPage, served } from './browser.fixture.js'
import { runSale } from './sale.fixture.js'

/** More than any view has. */
const MOST_STOPS = 400

/** What a person can act on. */
interface Stop {
  /** The beginning of its text in the page. */
  readonly name: string
  /** Whether one can see that it has the focus. */
  readonly isShown: boolean
}

/** Marks the element that has the focus, and tells of it; nothing where the page has no more. It runs in the page. */
const NEXT_STOP = `(() => {
  const element = document.activeElement
  if (element === null || element === document.body || element.hasAttribute('data-walked')) return undefined
  element.setAttribute('data-walked', '')
  const style = getComputedStyle(element)
  const isOutlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0
  return { name: element.outerHTML.slice(0, 120), isShown: isOutlined || style.boxShadow !== 'none' }
})()`

/**
 * What can be used by a mouse and was not marked. One of a group of radio buttons has the Tab key, and so has one of the cells of a
 * widget: arrows reach the others.
 */
const MISSED = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [role="button"], [role="tab"]')]
  .filter((element) => !element.disabled && element.closest('[inert]') === null)
  .filter((element) => element.type !== 'radio' && element.tabIndex >= 0)
  .filter((element) => element.checkVisibility() && !element.hasAttribute('data-walked'))
  .map((element) => element.outerHTML.slice(0, 120))`

/** Presses Tab until the focus leaves the page. */
async function walk(page: Page): Promise<readonly Stop[]> {
  const stops: Stop[] = []
  for (let at = 0; at < MOST_STOPS; at++) {
    await page.keyboard.press('Tab')
    const stop = await page.evaluate<Stop | undefined>(NEXT_STOP)
    if (stop === undefined) return stops
    stops.push(stop)
  }
  return stops
}

describe.skipIf(!hasChromium)('the Tab key', () => {
  const clock = new VirtualClock(Date.UTC(2026, 10, 23, 12))
  let shop: Awaited<ReturnType<typeof served>>
  beforeAll(async () => {
    shop = await served({ clock })
    await runSale(shop.local, clock)
  })
  afterAll(async () => {
    await shop.local.close()
  })

  it.each(['heat', 'throttling', 'partitions', 'shards', 'items', 'definition', 'advice', 'scenarios'])(
    'reaches everything of the view %s, and shows where it is',
    async (view) => {
      const page = await openPage()
      await page.goto(`${shop.address}?table=shop&tab=${view}`)
      await page.getByRole('button', { name: 'New table' }).waitFor()
      await page.waitForTimeout(1_000)
      const stops = await walk(page)
      expect(stops.length).toBeGreaterThan(5)
      expect(stops.filter(({ isShown }) => !isShown).map(({ name }) => name)).toEqual([])
      expect(await page.evaluate(MISSED)).toEqual([])
    },
  )
})

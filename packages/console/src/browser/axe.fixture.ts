import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/** What axe finds in a page, with the elements that it is about. */
export async function barriersOf(page: Page): Promise<readonly (readonly [string, readonly string[]])[]> {
  const violations = await found(page, '')
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)] as const)
}

/** The texts of a page with a contrast below 7:1, or 4.5:1 for large ones. */
export async function faintTextsOf(page: Page): Promise<readonly string[]> {
  const violations = await found(page, "runOnly: ['color-contrast-enhanced'],")
  return violations.flatMap(({ nodes }) => nodes.map(({ html }) => html))
}

async function found(page: Page, options: string): Promise<readonly Violation[]> {
  // Through the debugger, because the page's own policy lets no foreign script run.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(AXE)
  // Neither what passes nor the selectors of elements, which are most of an answer and of the time for it.
  return page.evaluate<readonly Violation[]>(`(async () => {
    const { violations } = await axe.run({ ${options} resultTypes: ['violations'], selectors: false })
    return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) }))
  })()`)
}

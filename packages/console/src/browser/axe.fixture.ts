import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

/** What axe finds in a page, with the elements that it is about. */
export async function barriersOf(page: Page): Promise<readonly (readonly [string, readonly string[]])[]> {
  // Through the debugger, because the page's own policy lets no foreign script run.
  await page.evaluate(AXE)
  const { violations } = await page.evaluate<AxeResult>('axe.run()')
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)] as const)
}

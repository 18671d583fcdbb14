import type { Page, PageRequest } from './page.js'
import type { Table } from './table.js'

/**
 * Reads a page in steps, between which other requests may be served, if it has many items that are fetched one by one.
 *
 * @param checkCurrent called before each further step; throws if the request must not go on
 * @throws Throttled or TableGone
 */
export function* pageInSteps(
  table: Table,
  request: PageRequest,
  checkCurrent: () => void,
): Generator<undefined, Page, undefined> {
  if (!request.wholeItems) return table.readPage(request)
  const steps = table.readPageInSteps(request)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    yield
    checkCurrent()
  }
}

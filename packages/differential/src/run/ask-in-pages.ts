import type { Answer, Endpoint } from '../endpoint.js'
import { isJsonObject } from '../json.js'

/** No table of the comparison has more items than this many pages of one item. */
const MAX_PAGES = 400

/**
 * Requests all pages and returns them as one response. The capacity of each page is left out, because pages can end at
 * different items. The items of all pages together must be equal.
 */
export async function askInPages(endpoint: Endpoint, operation: string, request: object): Promise<Answer> {
  const items: unknown[] = []
  let [count, scanned] = [0, 0]
  let startKey: unknown
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await endpoint.ask(operation, {
      ...request,
      ...(startKey === undefined ? {} : { ExclusiveStartKey: startKey }),
    })
    const { status, body } = answer
    if (status !== 200 || !isJsonObject(body)) return answer
    if (Array.isArray(body.Items)) items.push(...body.Items)
    count += Number(body.Count)
    scanned += Number(body.ScannedCount)
    startKey = body.LastEvaluatedKey
    if (startKey === undefined) return { status, body: { Items: items, Count: count, ScannedCount: scanned } }
  }
  return { status: 200, body: `more than ${MAX_PAGES} pages` }
}

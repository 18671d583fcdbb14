import { createLocal, type HeatCell, type HeatFrame, type HeatKey, type Local } from '@isotherm/local'
import { FastClock } from '@isotherm/runtime'
import type { CDPSession } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsoleSite, consoleSite } from '../server/console-site.js'
import type { ConsoleSource } from '../source/console-source.js'
import { builtPages, hasChromium, watchedPage } from './browser.fixture.js'
import { largeSource } from './large-source.fixture.js'

const KEYS = 60
/** Seconds of the figures in a real one: twelve updates are minutes of a busy table. */
const SPEED = 20
/** Updates until the page has all that it keeps, such as compiled code. */
const WARM_UPDATES = 8
const WATCHED_UPDATES = 12
/** A page that kept each map, or its elements, would keep more than this in a few updates. */
const MOST_GROWN_BYTES = 1_000_000
const MOST_GROWN_NODES = 1_000
/** On a busy machine, an update takes seconds. */
const WAIT = { timeout: 80_000 }

/** The keys of a frame, half of them of this second alone, and some of them throttled. */
function busy(frame: HeatFrame, at: number): HeatFrame {
  const keys = [...frame.keys].map(([key, cell], number): readonly [HeatKey, HeatCell] =>
    number % 2 === 0
      ? [key, cell]
      : [
          { ...key, values: [`${key.values[0]}/${at}`] },
          { ...cell, partitionThrottles: number % 10 },
        ],
  )
  return { ...frame, keys }
}

async function usedBy(debugging: CDPSession) {
  // The second collection frees what finalizers held until the first.
  for (let turn = 0; turn < 2; turn++) await debugging.send('HeapProfiler.collectGarbage')
  const { usedSize: bytes } = await debugging.send('Runtime.getHeapUsage')
  const { nodes } = await debugging.send('Memory.getDOMCounters')
  return { bytes, nodes }
}

describe.skipIf(!hasChromium)('a page that is left open on a busy table', () => {
  const clock = new FastClock(SPEED)
  let local: Local
  let site: ConsoleSite
  let address = ''
  beforeAll(async () => {
    local = createLocal()
    const large = largeSource(KEYS, () => clock.now())
    const source: ConsoleSource = {
      ...large,
      async heat(keyspace, request) {
        const span = await large.heat(keyspace, request)
        return { ...span, columns: span.columns.map(({ at, frame }) => ({ at, frame: busy(frame, at) })) }
      },
    }
    site = consoleSite({ source, pages: await builtPages(), clock })
    address = `${(await local.listen({ port: 0, site })).url}/_isotherm/?table=large`
  })
  afterAll(async () => {
    await local.close()
  })

  it.each(['heat', 'throttling'])('needs no more memory with time, in the view %s', async (tab) => {
    const { page, misdeeds } = await watchedPage()
    let updates = 0
    page.on('response', (response) => {
      if (!response.url().includes('v1/heat')) return
      updates++
      const scaled = { type: 'scaled', table: 'large', from: 1, to: 2, reason: 'hot' } as const
      site.event({ ...scaled, at: clock.now(), key: `/page/${updates}` })
    })
    await page.goto(`${address}&tab=${tab}`)
    const debugging = await page.context().newCDPSession(page)
    await expect.poll(() => updates, WAIT).toBeGreaterThan(WARM_UPDATES)
    const before = await usedBy(debugging)
    await expect.poll(() => updates, WAIT).toBeGreaterThan(WARM_UPDATES + WATCHED_UPDATES)
    const after = await usedBy(debugging)
    expect(after.bytes - before.bytes).toBeLessThan(MOST_GROWN_BYTES)
    expect(after.nodes - before.nodes).toBeLessThan(MOST_GROWN_NODES)
    expect(misdeeds.errors).toEqual([])
    await page.close()
  })
})

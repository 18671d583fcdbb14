import { SystemClock } from '@isotherm/runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasChromium, served, watchedPage } from './browser.fixture.js'
import { largeSource } from './large-source.fixture.js'

const ROWS = 1_500
const COLUMNS = 600
/** Enough for many updates, of which the page gets one after the other. */
const WATCHED_MILLISECONDS = 12_000
/** Fifty frames a second leave this long for each. */
const FRAME_MILLISECONDS = 20
/** Part of the frames that may take longer. Each is an update with a million cells, or another process's turn. */
const LATE_SHARE = 0.1

const MOST_WATCHES = 4

const isSmooth = ({ updates, lateShare }: { updates: number; lateShare: number }) =>
  updates >= WATCHED_MILLISECONDS / 2_000 && lateShare < LATE_SHARE

/** Counts frames, those that were late, and the updates that were drawn meanwhile. */
const WATCH = `(milliseconds) => new Promise((resolve) => {
  let updates = 0
  const observer = new PerformanceObserver((list) => {
    updates += list.getEntries().filter(({ name }) => name.includes('v1/heat') && name.includes('after=')).length
  })
  observer.observe({ type: 'resource' })
  let frames = 0
  let late = 0
  let before = performance.now()
  const end = before + milliseconds
  const frame = (now) => {
    frames++
    if (now - before > ${FRAME_MILLISECONDS} + 17) late++
    before = now
    if (now < end) requestAnimationFrame(frame)
    else resolve({ frames, late, updates })
  }
  requestAnimationFrame(frame)
})`

describe.skipIf(!hasChromium)('a map of 1,500 rows and 600 columns that moves on each second', () => {
  let large: Awaited<ReturnType<typeof served>>
  beforeAll(async () => {
    const clock = new SystemClock()
    large = await served(
      {},
      largeSource(ROWS, () => clock.now()),
    )
  })
  afterAll(async () => {
    await large.local.close()
  })

  it('stays smooth', async () => {
    const { page, misdeeds } = await watchedPage({ viewport: { width: 2_400, height: 3_430 } })
    page.setDefaultTimeout(60_000)
    await page.goto(`${large.address}?table=large&density=dense&last=${COLUMNS}`)
    await page.getByText(/^1,50\d rows/).waitFor()
    // Other work on the machine takes frames from some of these, hardly from each.
    const watched: { updates: number; lateShare: number }[] = []
    while (watched.length < MOST_WATCHES && !watched.some(isSmooth)) {
      const { frames, late, updates } = await page.evaluate<{
        frames: number
        late: number
        updates: number
      }>(`(${WATCH})(${WATCHED_MILLISECONDS})`)
      watched.push({ updates, lateShare: late / frames })
    }
    expect(misdeeds.errors).toEqual([])
    expect(watched).toSatisfy(() => watched.some(isSmooth))
  })
})

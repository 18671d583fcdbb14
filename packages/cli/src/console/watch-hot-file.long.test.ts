import { SystemClock } from '@isotherm/runtime'
import { HotFileRun, readAccessLog, sampleLogPath } from '@isotherm/scenarios'
import { expect, it } from 'vitest'
import { builtPages, hasChromium, openPage } from '../../../console/src/browser/browser.fixture.js'
import { localWithConsole } from './local-with-console.js'
import { scaledEvent } from './scaled-event.js'

const PREFIX = 'watched_'
/** Above the limit of one partition from the fifth second on, for long enough to heal on a busy machine. */
const WORKLOAD = {
  baseWritesPerSecond: 50,
  viralWritesPerSecond: 1_500,
  calmSeconds: 3,
  rampSeconds: 2,
  holdSeconds: 40,
  itemBytes: 300,
  maxInFlight: 2_000,
}
const SHARDING = {
  fixedShards: 10,
  initialShards: 1,
  maxShards: 16,
  cooldownSeconds: 5,
  jitterSeconds: [1, 3],
} as const

it.skipIf(!hasChromium)(
  'who opens the console during the hot-file run sees the row go red, get shards, and cool',
  async () => {
    const clock = new SystemClock()
    const { local, site } = localWithConsole({ clock }, {}, await builtPages())
    const ended = new AbortController()
    try {
      const { url } = await local.listen({ port: 0, site })
      const run = new HotFileRun(
        {
          log: readAccessLog(sampleLogPath),
          strategies: ['dynamic'],
          seed: 1,
          tablePrefix: PREFIX,
          workload: WORKLOAD,
          sharding: SHARDING,
        },
        {
          connect: () => local.client(),
          clock,
          signal: ended.signal,
          onEvent: (_strategy, event) => {
            const shown = scaledEvent(event, 'isotherm run hot-file')
            if (shown !== undefined) site.event(shown)
          },
        },
      )
      const running = run.run().catch((error: unknown) => {
        if (!ended.signal.aborted) throw error
      })
      const page = await openPage()
      page.setDefaultTimeout(60_000)
      await page.goto(`${url}/_isotherm/?table=${PREFIX}dynamic`)
      const row = page.locator('.row', { hasText: '/favicon.ico' }).first()
      await row.locator('b.hot').waitFor()
      await page
        .locator('.findings .hot', { hasText: '/favicon.ico is at the limit of its partition' })
        .waitFor()
      await page
        .getByRole('button', { name: /\/favicon\.ico: 1 → \d+ shards, because it was throttled/ })
        .waitFor()
      await page.getByRole('button', { name: /Open \/favicon\.ico, \d+ shards/ }).waitFor()
      await page
        .locator('.findings .cooled', { hasText: '/favicon.ico was throttled and has cooled' })
        .waitFor()
      ended.abort(new Error('Everything was seen.'))
      await running
      expect(await row.locator('em').textContent()).toMatch(/\d+ shards/)
    } finally {
      ended.abort()
      await local.close()
    }
  },
)

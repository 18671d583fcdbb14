// Takes the pictures of the console that the guides show: the hot-file scenario, and small examples of each pattern, on virtual time, so a busy machine
// does not change them.
//
//   npm run screenshots          needs Chromium at /usr/bin/chromium
//
// Look at the pictures before you commit them.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { chromium } from 'playwright-core'
import { localWithConsole } from '../packages/cli/dist/console/local-with-console.js'
import { scaledEvent } from '../packages/cli/dist/console/scaled-event.js'
import { SeededRandom, VirtualClock } from '../packages/runtime/dist/index.js'
import {
  DEFAULT_SHARDING,
  DEFAULT_WORKLOAD,
  HotFileRun,
  readAccessLog,
  STRATEGIES,
  sampleLogPath,
} from '../scenarios/dist/index.js'
import { MAP_EXAMPLES, madeMap } from './map-examples.js'

const folder = fileURLToPath(new URL('../docs/console', import.meta.url))
const PREFIX = 'hot_file_'
const SIZE = { width: 1440, height: 940 }
const BEGIN = Date.UTC(2027, 0, 1, 12)
const SECONDS = DEFAULT_WORKLOAD.calmSeconds + DEFAULT_WORKLOAD.rampSeconds + DEFAULT_WORKLOAD.holdSeconds

const PICTURES = [
  { file: 'one-key.png', table: 'one_key' },
  { file: 'dynamic.png', table: 'dynamic', open: '/favicon.ico' },
  { file: 'throttling.png', table: 'one_key', tab: 'throttling' },
]

const clock = new VirtualClock(BEGIN)
const { local, site } = localWithConsole(
  { clock, random: new SeededRandom(2_000_000) },
  { [`${PREFIX}fixed`]: '_' },
)
const run = new HotFileRun(
  {
    log: readAccessLog(sampleLogPath),
    strategies: STRATEGIES,
    seed: 1,
    tablePrefix: PREFIX,
    workload: DEFAULT_WORKLOAD,
    sharding: DEFAULT_SHARDING,
  },
  {
    connect: () => local.client(),
    clock,
    onEvent: (_strategy, event) => {
      const shown = scaledEvent(event, 'isotherm run hot-file')
      if (shown !== undefined) site.event(shown)
    },
  },
)
// A client's first request looks for its configuration in files, which virtual time cannot wait for.
for (const client of run.clients) await client.send(new ListTablesCommand({}))
await clock.run(() => run.run())
const { url } = await local.listen({ port: 0, site })
mkdirSync(folder, { recursive: true })
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
for (const picture of PICTURES) await take(picture)
for (const example of MAP_EXAMPLES) await takeExample(example)
await browser.close()
await local.close()

async function take({ file, table, open, tab = 'heat' }) {
  const page = await browser.newPage({ viewport: SIZE, timezoneId: 'UTC' })
  const span = { from: String(BEGIN), to: String(BEGIN + SECONDS * 1_000) }
  const query = new URLSearchParams({ table: `${PREFIX}${table}`, tab, ...span })
  if (open !== undefined) query.append('open', `key:${open}`)
  await page.goto(`${url}/_isotherm/?${query}`)
  await page.locator(':is(.row, .throttling canvas)').first().waitFor()
  await page.screenshot({ path: join(folder, file) })
  await page.close()
  console.log(`docs/console/${file}`)
}

/** The sentences and the map of a pattern, without the rest of the page. */
async function takeExample(example) {
  const { local: engine, address } = await madeMap(example)
  const page = await browser.newPage({ viewport: { width: 1100, height: 800 }, timezoneId: 'UTC' })
  await page.goto(address)
  await page.locator('.row').first().waitFor()
  const [top, map] = [
    await page.locator('.findings').boundingBox(),
    await page.locator('.heat-map').boundingBox(),
  ]
  const clip = { x: map.x - 8, y: top.y - 8, width: map.width + 16, height: map.y + map.height - top.y + 16 }
  await page.screenshot({ path: join(folder, example.file), fullPage: true, clip })
  await page.close()
  await engine.close()
  console.log(`docs/console/${example.file}`)
}

// Takes the pictures of the console that the guides show: the hot-file scenario, and small examples of each pattern, on virtual time, so a busy machine
// does not change them.
//
//   npm run screenshots                    needs Chromium at /usr/bin/chromium
//   npm run screenshots -- --look FOLDER   each view at 800, 1280, 1920 and 3840 pixels, light and dark, to be looked at
//
// Look at the pictures before you commit them.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
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

const HOT_FILE = '/favicon.ico'

/** The pictures of the guide. */
const PICTURES = [
  { file: 'one-key.png', table: 'one_key' },
  { file: 'dynamic.png', table: 'dynamic', open: HOT_FILE },
  { file: 'throttling.png', table: 'one_key', tab: 'throttling' },
  { file: 'partitions.png', table: 'one_key', tab: 'partitions', height: 400 },
  { file: 'shards.png', table: 'dynamic', tab: 'shards', height: 480 },
  {
    file: 'items.png',
    table: 'dynamic',
    tab: 'items',
    items: { partition: [HOT_FILE], isDescending: true, pageItems: 25 },
    height: 640,
  },
  { file: 'advice.png', table: 'dynamic', tab: 'advice', height: 600 },
  { file: 'scenarios.png', table: 'dynamic', tab: 'scenarios', act: runCounter },
]

/** Views that only `--look` takes. */
const MORE = [
  { file: 'definition.png', table: 'dynamic', tab: 'definition' },
  { file: 'tables.png', table: 'dynamic', tab: 'tables' },
  { file: 'create.png', table: 'dynamic', tab: 'create' },
]
/** What each view has once it has its data. */
const LOADED =
  ':is(.row, .throttling canvas, .items tbody tr, .scenario-form, .partitions tbody tr, .shards, .definition, .advice, .all-tables tbody tr, .create)'

const WIDTHS = [800, 1280, 1920, 3840]
const SCHEMES = ['light', 'dark']
const { values: flags } = parseArgs({ options: { look: { type: 'string' } } })

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
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
if (flags.look === undefined) {
  mkdirSync(folder, { recursive: true })
  for (const picture of PICTURES) {
    const size = { ...SIZE, height: picture.height ?? SIZE.height }
    await take(picture, join(folder, picture.file), size, 'light')
  }
  for (const example of MAP_EXAMPLES) await takeExample(example)
} else {
  mkdirSync(flags.look, { recursive: true })
  for (const picture of [...PICTURES, ...MORE]) {
    for (const width of WIDTHS) {
      for (const scheme of SCHEMES) {
        const size = { width, height: Math.round(Math.min(2_160, width * 0.75)) }
        const path = join(flags.look, picture.file.replace('.png', `-${width}-${scheme}.png`))
        await take(picture, path, size, scheme)
      }
    }
  }
}
await browser.close()
await local.close()

async function take({ table, open, tab = 'heat', items, act }, path, viewport, colorScheme) {
  const page = await browser.newPage({ viewport, colorScheme, timezoneId: 'UTC' })
  const span = { from: String(BEGIN), to: String(BEGIN + SECONDS * 1_000) }
  const query = new URLSearchParams({ table: `${PREFIX}${table}`, tab, ...span })
  if (open !== undefined) query.append('open', `key:${open}`)
  if (items !== undefined) query.append('items', JSON.stringify(items))
  await page.goto(`${url}/_isotherm/?${query}`)
  await page.locator(LOADED).first().waitFor()
  await act?.(page)
  await page.mouse.move(0, 0)
  await page.screenshot({ path })
  await page.close()
  console.log(path)
}

/** Runs the campaign counter, which takes some seconds, or shows the run that there is. */
async function runCounter(page) {
  await page.getByRole('combobox', { name: 'Scenario' }).selectOption('Campaign counter')
  if ((await page.locator('.run-state.done').count()) === 0) {
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.locator('.run-state.done').waitFor({ timeout: 600_000 })
  }
  await page.locator('.sides canvas').first().waitFor()
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

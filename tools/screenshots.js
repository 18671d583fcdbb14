// Runs the hot-file scenario on real time, and takes the pictures of the console that the guide shows.
//
//   npm run screenshots          needs Chromium at /usr/bin/chromium
//
// Other processes change what is to be seen, so leave the machine alone meanwhile. Look at the pictures before you commit them.
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'docs/console')
const PREFIX = 'isotherm_hot_file_'
const SIZE = { width: 1440, height: 900 }

const PICTURES = [
  { file: 'one-key.png', table: 'one_key', scheme: 'light' },
  { file: 'dynamic.png', table: 'dynamic', scheme: 'light', open: '/favicon.ico' },
  { file: 'dynamic-dark.png', table: 'dynamic', scheme: 'dark', open: '/favicon.ico' },
  { file: 'throttling.png', table: 'one_key', scheme: 'light', tab: 'throttling' },
  { file: 'partitions.png', table: 'one_key', scheme: 'light', tab: 'partitions' },
]

const run = spawn(
  process.execPath,
  [join(root, 'packages/cli/bin/isotherm.js'), 'run', 'hot-file', '--no-chart'],
  { stdio: ['ignore', 'pipe', 'pipe'] },
)
try {
  const address = await printed(run.stderr, /Console: (http:\S+\/_isotherm\/)/)
  await printed(run.stdout, /stays up/)
  mkdirSync(folder, { recursive: true })
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  for (const picture of PICTURES) await take(browser, address, picture)
  await browser.close()
} finally {
  run.kill('SIGINT')
}

/** The first match in what a process prints. */
function printed(stream, pattern) {
  return new Promise((resolve, reject) => {
    let text = ''
    stream.setEncoding('utf8')
    stream.on('data', (part) => {
      text += part
      const found = pattern.exec(text)
      if (found !== null) resolve(found[1])
    })
    stream.on('end', () => reject(new Error(`The run ended without ${pattern}:\n${text}`)))
  })
}

async function take(browser, address, { file, table, scheme, open, tab = 'heat' }) {
  const page = await browser.newPage({ viewport: SIZE, colorScheme: scheme })
  const query = new URLSearchParams({ table: `${PREFIX}${table}`, tab })
  if (open !== undefined) query.append('open', `key:${open}`)
  await page.goto(`${address}?${query}`)
  await page.locator(':is(.row, .throttling canvas, .partitions tbody tr)').first().waitFor()
  await page.screenshot({ path: join(folder, file) })
  await page.close()
  console.log(`docs/console/${file}`)
}

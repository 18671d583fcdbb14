import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLocal, type Endpoint, type LocalOptions } from '@isotherm/local'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { buildPage } from '../../build.js'
import { type ConsoleSite, consoleSite } from '../server/console-site.js'
import type { ConsoleSource } from '../source/console-source.js'
import { localSource } from '../source/local-source.js'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const found = PLACES.find((path) => existsSync(path))

/** The views of the page, as its address names them. */
export const VIEWS = [
  'heat',
  'throttling',
  'partitions',
  'shards',
  'items',
  'definition',
  'advice',
  'tables',
  'create',
] as const

/** Whether Chromium is installed. With `ISOTHERM_SKIP_NOTHING=true`, a missing one fails the tests. */
export const hasChromium = found !== undefined || process.env.ISOTHERM_SKIP_NOTHING === 'true'

/** @throws Error where it is not installed */
export async function launchChromium(): Promise<Browser> {
  if (found === undefined)
    throw new Error(
      `Chromium is at none of ${PLACES.join(', ')}. Install it, for example: apt-get install chromium`,
    )
  return chromium.launch({ executablePath: found, args: ['--no-sandbox'] })
}

/** Long for a busy machine, short for who waits for a failing test. */
const ACTION_MILLISECONDS = 30_000

/** What a page did that it must not do. */
export interface Misdeeds {
  /** Requests to other servers. */
  readonly foreign: string[]
  /** Errors of scripts, and violations of the content security policy. */
  readonly errors: string[]
}

/** A page of the console as it is built, in a real browser. */
export class ConsoleBrowser {
  readonly #folder = mkdtempSync(join(tmpdir(), 'isotherm-console-'))
  #browser: Browser | undefined

  async open(): Promise<void> {
    await buildPage(this.pages)
    this.#browser = await launchChromium()
  }

  get pages(): string {
    return join(this.#folder, 'site')
  }

  async page(options: BrowserContextOptions = {}): Promise<{ page: Page; misdeeds: Misdeeds }> {
    const viewport = { width: 1440, height: 900 }
    const context = await this.#browser?.newContext({ viewport, ...options })
    const page = await context?.newPage()
    if (page === undefined) throw new Error('The browser is not open.')
    page.setDefaultTimeout(ACTION_MILLISECONDS)
    const misdeeds: Misdeeds = { foreign: [], errors: [] }
    page.on('request', (request) => {
      if (new URL(request.url()).hostname !== '127.0.0.1') misdeeds.foreign.push(request.url())
    })
    page.on('pageerror', (error) => misdeeds.errors.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') misdeeds.errors.push(message.text())
    })
    return { page, misdeeds }
  }

  async close(): Promise<void> {
    await this.#browser?.close()
    rmSync(this.#folder, { recursive: true })
  }
}

/** An engine that is shown by the console at an endpoint. */
export async function served(pages: string, options: LocalOptions = {}, source?: ConsoleSource) {
  const local = createLocal({ ...options, heat: true })
  const site: ConsoleSite = consoleSite({ source: source ?? localSource(local), pages })
  const endpoint: Endpoint = await local.listen({ port: 0, site })
  return { local, site, endpoint, address: `${endpoint.url}/_isotherm/` }
}

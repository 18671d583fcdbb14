import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLocal, type Endpoint, type LocalOptions } from '@isotherm/local'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
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

/** Vitest ends its processes by this signal, which alone would leave their temporary files. */
function exitWhenEnded(): void {
  process.once('SIGTERM', () => process.exit())
}

let launched: Promise<Browser> | undefined

/**
 * One for all files of tests of this process: a start takes as long as some of them. It ends with the process.
 * @throws Error where it is not installed
 */
function sharedChromium(): Promise<Browser> {
  if (found === undefined)
    throw new Error(
      `Chromium is at none of ${PLACES.join(', ')}. Install it, for example: apt-get install chromium`,
    )
  if (launched === undefined) {
    launched = chromium.launch({ executablePath: found, args: ['--no-sandbox'], handleSIGTERM: false })
    exitWhenEnded()
  }
  return launched
}

let built: Promise<string> | undefined

/** Builds the page of the console once for all files of tests of this process. @returns its folder, which goes with the process */
export function builtPages(): Promise<string> {
  const build = async () => {
    const folder = mkdtempSync(join(tmpdir(), 'isotherm-console-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    exitWhenEnded()
    const pages = join(folder, 'site')
    await buildPage(pages)
    return pages
  }
  built ??= build()
  return built
}

let installed: Promise<void> | undefined

/** Builds the page of the console once in this process, where a command as it is installed has it. */
export function buildInstalledPages(): Promise<void> {
  installed ??= buildPage()
  return installed
}

/** Long for a busy machine, short for who waits for a failing test. */
const ACTION_MILLISECONDS = 30_000

const VIEWPORT = { width: 1440, height: 900 }

/** Any address of this host stands for it: a page of the same site keeps its process. */
const BLANK = 'http://127.0.0.1/blank'

type PageOptions = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'contrast' | 'permissions'>

/** Pages that a test has left, by their permissions. Two thirds of what a page costs is its making. */
const leftPages = new Map<string, Page>()

/** A page in a real browser, blank, with nothing of an earlier test, for the rest of this test. */
export async function openPage(options: PageOptions = {}): Promise<Page> {
  const { viewport = VIEWPORT, colorScheme = 'light', contrast = 'no-preference', permissions = [] } = options
  const kind = permissions.join()
  const left = leftPages.get(kind)
  leftPages.delete(kind)
  const page = left ?? (await (await (await sharedChromium()).newContext({ permissions })).newPage())
  onTestFinished(async ({ task }) => {
    const isLeft = task.result?.state === 'pass' && !leftPages.has(kind) && (await isCleared(page))
    if (isLeft) leftPages.set(kind, page)
    else await page.context().close()
  })
  page.setDefaultTimeout(ACTION_MILLISECONDS)
  await page.setViewportSize(viewport ?? VIEWPORT)
  await page.emulateMedia({ colorScheme, contrast })
  return page
}

/** Takes from a page all that a test gave it. @returns false where that is not possible */
async function isCleared(page: Page): Promise<boolean> {
  if (page.isClosed()) return false
  await page.removeAllListeners(undefined, { behavior: 'ignoreErrors' })
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  try {
    await page.evaluate('localStorage.clear()')
    await page.route(BLANK, (route) => route.fulfill({ contentType: 'text/html', body: '' }))
    await page.goto(BLANK)
    await page.unrouteAll()
    await page.mouse.move(0, 0)
  } catch {
    // Such as one whose server is away.
    return false
  }
  return true
}

/** What a page did that it must not do. */
export interface Misdeeds {
  /** Requests to other servers. */
  readonly foreign: string[]
  /** Errors of scripts, and violations of the content security policy. */
  readonly errors: string[]
}

/** A page, and what it does from now on that it must not do. */
export async function watchedPage(options: PageOptions = {}): Promise<{ page: Page; misdeeds: Misdeeds }> {
  const page = await openPage(options)
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

/** An engine that is shown by the console at an endpoint. */
export async function served(options: LocalOptions = {}, source?: ConsoleSource) {
  const pages = await builtPages()
  const local = createLocal({ ...options, heat: true })
  const site: ConsoleSite = consoleSite({ source: source ?? localSource(local), pages })
  const endpoint: Endpoint = await local.listen({ port: 0, site })
  return { local, site, endpoint, address: `${endpoint.url}/_isotherm/` }
}

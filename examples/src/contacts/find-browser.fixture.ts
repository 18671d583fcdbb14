import { existsSync } from 'node:fs'

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * The browser that the tests drive. With `ISOTHERM_SKIP_NOTHING=true`, as in CI, a missing one fails them instead of skipping them.
 */
export function findBrowser(): string | undefined {
  const found = [process.env.ISOTHERM_BROWSER ?? '', ...PATHS].find((path) => path !== '' && existsSync(path))
  if (found !== undefined || process.env.ISOTHERM_SKIP_NOTHING !== 'true') return found
  throw new Error(
    `There is no browser at ${PATHS.join(', ')}. Install the package chromium, or set ISOTHERM_BROWSER to the path of one.`,
  )
}

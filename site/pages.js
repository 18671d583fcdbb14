// Which files of the repository the site shows, and where.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The pages at their places on the site. The generator finds its packages from here. */
const PAGES = fileURLToPath(new URL('pages', import.meta.url))
/** What TypeDoc writes. */
const REFERENCE = fileURLToPath(new URL('reference', import.meta.url))

/** Pages outside of `docs`, by their paths in the repository, and their places. */
const OTHERS = {
  'site/home.md': 'index.md',
  'README.ja.md': 'ja/index.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security.md',
  'examples/README.md': 'examples.md',
  'packages/isotherm/ERRORS.md': 'errors.md',
  'packages/isotherm/src/protocol/README.md': 'internals/protocol.md',
}

/**
 * @param {string} path of a file, from the root of the repository
 * @returns {string | undefined} where the site has it; nothing if the site does not have it
 */
export function placeOf(path) {
  if (path.startsWith('docs/')) return path.slice('docs/'.length)
  return OTHERS[path]
}

/**
 * @param {string} place of a page on the site
 * @returns {string} its path from the root of the repository
 */
export function originOf(place) {
  const [origin] = Object.entries(OTHERS).find(([, other]) => other === place) ?? []
  return origin ?? `docs/${place}`
}

/** Every page that the site shows, by its place. The reference of the API is not among them: it is not in the repository. */
export function placedPages() {
  const guides = readdirSync(join(root, 'docs'), { recursive: true }).filter((name) => name.endsWith('.md'))
  const others = Object.entries(OTHERS).filter(([origin]) => existsSync(join(root, origin)))
  return [...guides.map((name) => name.replaceAll('\\', '/')), ...others.map(([, place]) => place)].sort()
}

/** Copies the pages, and the pictures and files beside them, to their places. */
export function placePages() {
  rmSync(PAGES, { recursive: true, force: true })
  cpSync(join(root, 'docs'), PAGES, { recursive: true })
  for (const [origin, place] of Object.entries(OTHERS)) {
    if (!existsSync(join(root, origin))) continue
    mkdirSync(dirname(join(PAGES, place)), { recursive: true })
    cpSync(join(root, origin), join(PAGES, place))
  }
  cpSync(REFERENCE, join(PAGES, 'reference'), { recursive: true })
  // The picture of the home page is named in its settings, where links are not followed.
  cpSync(join(root, 'docs/hot-file.svg'), join(PAGES, 'public/hot-file.svg'))
}

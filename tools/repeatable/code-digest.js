import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { SOURCE_ALIASES } from '../source-aliases.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DIGITS = 16

/** What every test depends on: the packages of others, and how tests are run. */
const COMMON = ['package-lock.json', 'vitest.config.ts', 'tools/seeded-properties.ts']

/** A package's name, and not a path: the project's own are followed into their sources, those of others are not. */
const BARE_IMPORT = /^[^./]/
const OWN_PACKAGE = /^@?isotherm\b/

const sources = {
  name: 'sources',
  setup: ({ onResolve }) =>
    onResolve({ filter: BARE_IMPORT }, ({ path, kind }) => {
      if (kind === 'entry-point') return undefined
      if (SOURCE_ALIASES[path] !== undefined) return { path: SOURCE_ALIASES[path] }
      return OWN_PACKAGE.test(path) ? undefined : { path, external: true }
    }),
}

/**
 * A name for all that decides how a test file ends that depends on nothing but code: the file, what it imports, the packages of others,
 * and the release of Node. It is another one when any line of that code is, and the same when only a comment is.
 * @param {readonly string[]} reads files and folders that the test reads while it runs. Their comments count, and their tests do not.
 * @param root another folder than the project's, for tests of this function
 */
export async function codeDigest(file, reads = [], root = ROOT) {
  const { outputFiles } = await build({
    entryPoints: [join(root, file)],
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    plugins: [sources],
    write: false,
    logLevel: 'silent',
  })
  const hash = createHash('sha256').update(majorOf(process.version))
  for (const { contents } of outputFiles) hash.update(contents)
  for (const path of COMMON) hash.update(readFileSync(join(ROOT, path)))
  for (const path of reads.flatMap((each) => filesOf(root, each))) {
    hash.update(path).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex').slice(0, DIGITS)
}

/** @returns `v20` of `v20.19.4` */
function majorOf(version) {
  return version.slice(0, version.indexOf('.'))
}

function filesOf(root, path) {
  if (statSync(join(root, path)).isFile()) return [path]
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .map((each) => `${path}/${each}`)
    .filter((each) => !each.endsWith('.test.ts') && statSync(join(root, each)).isFile())
    .sort()
}

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Beside the packages of this folder, which git ignores. */
const KEPT = fileURLToPath(new URL('./node_modules/.last-runs/', import.meta.url))

export const isSame = (one, other) =>
  ['file', 'line', 'mutator', 'replacement', 'range'].every((name) => one[name] === other[name])

/** Keeps what came of the bugs of a folder, for the next run of the same sources. */
export function keepRun(root, folder, bugs) {
  mkdirSync(KEPT, { recursive: true })
  writeFileSync(pathOf(folder), JSON.stringify({ sources: digestOf(root, folder), bugs }))
}

/** The bugs of the last run. `undefined` if there was none, or its sources have changed since. */
export function lastRun(root, folder) {
  if (!existsSync(pathOf(folder))) return undefined
  const { sources, bugs } = JSON.parse(readFileSync(pathOf(folder), 'utf8'))
  return sources === digestOf(root, folder) ? bugs : undefined
}

/** The bugs of a run, some of which were planted again. */
export function withNewer(bugs, newer) {
  return bugs.map((bug) => newer.find((each) => isSame(each, bug)) ?? bug)
}

function pathOf(folder) {
  return `${KEPT}${folder.replaceAll('/', '_')}.json`
}

function digestOf(root, folder) {
  const digest = createHash('sha256')
  for (const path of readdirSync(`${root}/${folder}`, { recursive: true }).sort()) {
    const isSource = path.endsWith('.ts') && !path.endsWith('.test.ts')
    if (isSource) digest.update(path).update(readFileSync(`${root}/${folder}/${path}`))
  }
  return digest.digest('hex')
}

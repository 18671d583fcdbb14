import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isFile, isFlat, pathOf } from './folders.js'

/** Beside the packages of this folder, which git ignores. */
const KEPT = fileURLToPath(new URL('./node_modules/.last-runs/', import.meta.url))

export const isSame = (one, other) =>
  ['file', 'line', 'mutator', 'replacement', 'range'].every((name) => one[name] === other[name])

/** Keeps what came of the bugs of a folder, for the next run of the same sources. */
export function keepRun(root, folder, bugs) {
  mkdirSync(KEPT, { recursive: true })
  writeFileSync(fileOf(folder), JSON.stringify({ sources: digestOf(root, folder), bugs }))
}

/** The bugs of the last run. `undefined` if there was none, or its sources have changed since. */
export function lastRun(root, folder) {
  if (!existsSync(fileOf(folder))) return undefined
  const { sources, bugs } = JSON.parse(readFileSync(fileOf(folder), 'utf8'))
  return sources === digestOf(root, folder) ? bugs : undefined
}

/** The bugs of a run, some of which were planted again. */
export function withNewer(bugs, newer) {
  return bugs.map((bug) => newer.find((each) => isSame(each, bug)) ?? bug)
}

function fileOf(folder) {
  return `${KEPT}${folder.replaceAll('/', '_').replace('*', 'own')}.json`
}

function digestOf(root, folder) {
  const digest = createHash('sha256')
  const sources = `${root}/${pathOf(folder)}`
  if (isFile(folder)) return digest.update(readFileSync(sources)).digest('hex')
  for (const path of readdirSync(sources, { recursive: !isFlat(folder) }).sort()) {
    const isSource = path.endsWith('.ts') && !path.endsWith('.test.ts')
    if (isSource) digest.update(path).update(readFileSync(`${sources}/${path}`))
  }
  return digest.digest('hex')
}

import { readFileSync } from 'node:fs'
import { isIn } from './folders.js'

const FILE = new URL('./judged.json', import.meta.url)

/**
 * The bugs that somebody has looked at and found to be none: the changed program does the same. Each entry has the `file`, the
 * `source` (the line's text, since lines move), `mutator`, `replacement`, and the `reason`.
 */
const entries = JSON.parse(readFileSync(FILE, 'utf8'))

export function reasonOf(bug) {
  return entries.find((entry) => isOf(entry, bug))?.reason
}

/** Entries for files of the folder that fit no planted bug any more, because the line was changed, or a test notices it. */
export function outdatedFor(folder, missed) {
  return entries
    .filter(({ file }) => isIn(folder, file))
    .filter((entry) => !missed.some((bug) => isOf(entry, bug)))
}

function isOf(entry, bug) {
  return ['file', 'source', 'mutator', 'replacement'].every((name) => entry[name] === bug[name])
}

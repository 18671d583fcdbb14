import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { codeDigest } from './code-digest.js'
import { REPEATABLE_TESTS } from './repeatable-tests.js'

/** For each repeatable test file the digest of the code with which it passed last, and how many tests it has. */
const RECORD = fileURLToPath(new URL('passed.json', import.meta.url))

const recordOf = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** @returns the digests of all repeatable test files as their code is now, by the name of the file */
export async function digestsNow() {
  const digests = new Map()
  for (const { file, reads } of REPEATABLE_TESTS) digests.set(file, await codeDigest(file, reads))
  return digests
}

/** @returns the files that passed with the same code, each with its number of tests */
export function passedBefore(digests, path = RECORD) {
  const record = recordOf(path)
  return [...digests]
    .filter(([file, digest]) => record[file]?.digest === digest)
    .map(([file]) => ({ file, tests: record[file].tests }))
}

/**
 * Notes the repeatable ones among the files of a run, and forgets those that are none any more.
 * @param passed the files of which every test has passed, with the number of their tests
 */
export function recordPassed(digests, passed, path = RECORD) {
  const record = recordOf(path)
  for (const { file, tests } of passed) {
    if (digests.has(file)) record[file] = { digest: digests.get(file), tests }
  }
  const known = Object.entries(record).filter(([file]) => digests.has(file))
  const sorted = Object.fromEntries(known.sort(([one], [other]) => (one < other ? -1 : 1)))
  writeFileSync(path, `${JSON.stringify(sorted, undefined, 2)}\n`)
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { BaseSequencer } from 'vitest/node'

/** In the copy of the project in which tests run: how long each test file takes. */
const DURATIONS = 'mutants-durations.json'

/** Runner and order are loaded apart, so the source with the planted bug is named in the environment. */
const SOURCE = 'MUTANTS_SOURCE'

export function keepDurations(files) {
  const milliseconds = Object.fromEntries(
    files.map(({ filepath, result }) => [filepath, result?.duration ?? 0]),
  )
  writeFileSync(DURATIONS, JSON.stringify(milliseconds))
}

/** @returns milliseconds of the slowest test file */
export function slowestDuration() {
  return Math.max(0, ...Object.values(durations()))
}

function durations() {
  return existsSync(DURATIONS) ? JSON.parse(readFileSync(DURATIONS, 'utf8')) : {}
}

export function plantedIn(source) {
  process.env[SOURCE] = source
}

/** Tests in the folder of a source notice its bugs more often than others. */
const NEAR = 0.1

/** A bug needs to be noticed once. So the tests that are named as its source run first, and then those that take the least time. */
export class SoonestFirst extends BaseSequencer {
  async sort(files) {
    const milliseconds = durations()
    const source = process.env[SOURCE]?.replace(/^.*\/packages\//, '/packages/').replace(/ts$/, '') ?? '/'
    const folder = source.slice(0, source.lastIndexOf('/') + 1)
    const cost = ({ moduleId }) => {
      if (moduleId.includes(source)) return 0
      return (milliseconds[moduleId] ?? 0) * (moduleId.includes(folder) ? NEAR : 1)
    }
    return files.toSorted((a, b) => cost(a) - cost(b) || (a.moduleId < b.moduleId ? -1 : 1))
  }
}

import { existsSync, writeFileSync } from 'node:fs'

/** In the copy of the project in which tests run. */
const MARK = 'mutants-endless-'

const LOOK_MILLISECONDS = 1_000

/** Several times the processor time of the longest test, and of loading all sources. */
const MAX_MILLISECONDS = 60_000

/** Whether a test with this bug did not end. */
export function isEndless(id) {
  return existsSync(MARK + id)
}

/**
 * Ends this process if a test with a bug takes too much processor time. StrykerJS then starts another process, which finds the mark. StrykerJS's
 * own limit is elapsed time, and on a busy machine slow tests reach it.
 *
 * @param ended returns how many tests have ended
 * @returns the timer
 */
export function endWhenEndless(id, ended) {
  let from = process.cpuUsage()
  let before = ended()
  return setInterval(() => {
    const now = ended()
    if (now !== before) {
      before = now
      from = process.cpuUsage()
    }
    const { user, system } = process.cpuUsage(from)
    if ((user + system) / 1_000 < MAX_MILLISECONDS) return
    writeFileSync(MARK + id, '')
    process.exit(1)
  }, LOOK_MILLISECONDS)
}

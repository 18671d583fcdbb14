import { existsSync, writeFileSync } from 'node:fs'

/** In the copy of the project in which tests run. */
const MARK = 'mutants-endless-'

const LOOK_MILLISECONDS = 1_000

/** Several times the processor time of loading all sources. */
const LEAST_MILLISECONDS = 8_000

/** How much longer a test may take with a bug than the slowest test file takes without one. */
const FACTOR = 3

/** A process that works gets more of each second, even on a busy machine. */
const IDLE_MILLISECONDS = 10

/** A look that is so late says that this process got no processor, and not that it has nothing to do. */
const LATE_MILLISECONDS = 200

/** After so many seconds without work, a test waits for something that never comes. */
const MAX_IDLE = 6

/** Whether a test with this bug did not end. */
export function isEndless(id) {
  return existsSync(MARK + id)
}

/**
 * Ends this process if a test with a bug takes too much processor time, or does nothing any more. StrykerJS then starts another process, which finds
 * the mark. StrykerJS's own limit is elapsed time, and on a busy machine slow tests reach it.
 *
 * @param ended returns how many tests have ended
 * @param slowest milliseconds that the slowest test file takes without a bug
 * @returns the timer
 */
export function endWhenEndless(id, ended, slowest) {
  const limit = Math.max(LEAST_MILLISECONDS, FACTOR * slowest)
  let before = ended()
  let used = 0
  let idle = 0
  let from = process.cpuUsage()
  let lookedAt = performance.now()
  return setInterval(() => {
    const isLate = performance.now() - lookedAt > LOOK_MILLISECONDS + LATE_MILLISECONDS
    lookedAt = performance.now()
    const { user, system } = process.cpuUsage(from)
    const milliseconds = (user + system) / 1_000
    from = process.cpuUsage()
    const now = ended()
    used = now === before ? used + milliseconds : 0
    const isIdle = now === before && milliseconds < IDLE_MILLISECONDS
    if (!isIdle) idle = 0
    else if (!isLate) idle += 1
    before = now
    if (used < limit && idle < MAX_IDLE) return
    writeFileSync(MARK + id, '')
    process.exit(1)
  }, LOOK_MILLISECONDS)
}

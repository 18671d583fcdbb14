import { MinimalReporter } from 'vitest/node'

/** A file of a fast run is slow when it takes longer than this, and a great part of the run as well: not merely on a busy machine. */
const SLOW_SECONDS = 30
const SLOW_SHARE = 0.2
const TICK_MILLISECONDS = 500

const SLOWEST = 30

/** Prints failures in full, and on a terminal one live line. Passed tests print nothing, not even what they log. */
export class TestReporter extends MinimalReporter {
  /** The results, complete at the end of the run. */
  counts = { files: 0, passed: 0, failed: 0, skipped: 0 }
  /** How many tests were skipped for each reason. */
  skipped = new Map()
  /** Files that take too long for a fast run. */
  slow = []
  /** The files that took longest, with their seconds. */
  slowest = []
  /** The files of which every test has passed, with the number of their tests. */
  passedFiles = []
  #total = 0
  #began = performance.now()
  #ticks

  onInit(vitest) {
    // Without the banner.
    this.ctx = vitest
  }

  onTestRunStart(specifications) {
    super.onTestRunStart(specifications)
    this.#total = specifications.length
    if (process.stdout.isTTY) this.#ticks = setInterval(() => this.#show(), TICK_MILLISECONDS).unref()
  }

  onTestModuleEnd(module) {
    this.#clear()
    super.onTestModuleEnd(module)
    this.counts.files += 1
    const tests = [...module.children.allTests()]
    for (const test of tests) this.#count(test)
    if (tests.length > 0 && tests.every((test) => test.result().state === 'passed')) {
      this.passedFiles.push({ file: module.relativeModuleId, tests: tests.length })
    }
    this.#show()
  }

  onTestRunEnd(modules, errors, reason) {
    clearInterval(this.#ticks)
    this.#clear()
    // A file that cannot be loaded and an error outside all tests have no failed test to count.
    const broken = modules.filter((module) => module.errors().length > 0)
    this.counts.failed += broken.length + errors.length
    this.slow = slowOf(modules)
    this.slowest = slowestOf(modules)
    super.onTestRunEnd(modules, errors, reason)
  }

  /** The caller prints the summary. */
  reportTestSummary() {}

  #count(test) {
    const { state, note } = test.result()
    if (state === 'passed') this.counts.passed += 1
    if (state === 'failed') this.counts.failed += 1
    if (state !== 'skipped') return
    this.counts.skipped += 1
    const reason = note ?? nameOfSkipped(test)
    this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + 1)
  }

  #show() {
    if (!process.stdout.isTTY) return
    const { files, passed, failed } = this.counts
    const seconds = Math.round((performance.now() - this.#began) / 1_000)
    process.stdout.write(
      `\r\x1b[Ktests: ${files} of ${this.#total} files, ${passed} passed, ${failed} failed, ${seconds} s`,
    )
  }

  #clear() {
    if (process.stdout.isTTY) process.stdout.write('\r\x1b[K')
  }
}

const seconds = (module) => module.diagnostic().duration / 1_000

function slowestOf(modules) {
  return modules
    .map((module) => ({ file: module.relativeModuleId, seconds: Math.round(seconds(module)) }))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST)
}

function slowOf(modules) {
  const all = modules.reduce((sum, module) => sum + seconds(module), 0)
  return modules
    .filter((module) => seconds(module) > Math.max(SLOW_SECONDS, SLOW_SHARE * all))
    .map((module) => module.relativeModuleId)
}

/** The outermost suite that is skipped, or the test itself. */
function nameOfSkipped(test) {
  let skipped = test
  while (skipped.parent.type === 'suite' && skipped.parent.options.mode === 'skip') skipped = skipped.parent
  return skipped.name
}

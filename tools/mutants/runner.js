// Runs the tests of each planted bug in a thread that has loaded everything before. StrykerJS's own runner for Vitest starts a thread for each
// bug and each test file, and loading the sources and the SDK there takes longer than the tests.
import { readFileSync, writeFileSync } from 'node:fs'
import { strykerValidationSchema as schema } from '@stryker-mutator/vitest-runner'
import { endWhenEndless, isEndless } from './endless.js'
import { keptThread } from './kept-thread.js'
import { VitestTestRunner } from './node_modules/@stryker-mutator/vitest-runner/dist/src/vitest-test-runner.js'
import { keepDurations, plantedIn, slowestDuration } from './soonest-first.js'

/**
 * In the copy of the project in which tests run, for all of its processes: the tests that execute each bug, and the files that execute it while
 * they are loaded.
 */
const COVERAGE = 'mutants-coverage.json'

const NAMESPACE = '__stryker__'
const NO_BUG = 'none'

class WarmRunner extends VitestTestRunner {
  #thread = keptThread()
  #coverage
  /** The only files that run, if they are known. */
  #files
  #isLoadedWithBug = false

  async dryRun(options) {
    // Each test file in a thread of its own shows which lines run when a module is loaded.
    this.#runIn({ isIsolated: true, isKept: false })
    const result = await super.dryRun(options)
    const files = this.ctx.state.getFiles()
    const broken = files.filter((file) => file.result?.state === 'fail')
    if (result.status === 'complete' && broken.length > 0) {
      // A file that cannot be loaded has no tests that fail.
      return { status: 'error', errorMessage: `Tests fail in ${broken.map(({ name }) => name)}.` }
    }
    const loading = files.map(({ filepath, meta }) => [filepath, meta.mutantCoverage?.static ?? {}])
    const running = Object.entries(result.mutantCoverage?.perTest ?? {})
    keepDurations(files)
    writeFileSync(COVERAGE, JSON.stringify({ tests: byBug(running), files: byBug(loading) }))
    return result
  }

  async mutantRun(options) {
    this.#coverage ??= JSON.parse(readFileSync(COVERAGE, 'utf8'))
    const { id, fileName } = options.activeMutant
    if (isEndless(id)) return { status: 'timeout' }
    plantedIn(fileName)
    const watch = endWhenEndless(id, () => this.#ended(), slowestDuration())
    try {
      return await this.#watchedRun(options)
    } finally {
      clearInterval(watch)
    }
  }

  /** How many tests have ended. */
  #ended() {
    const tests = this.ctx.state.getFiles().flatMap((file) => [...testsIn(file)])
    return tests.filter((test) => test.result?.state !== undefined && test.result.state !== 'run').length
  }

  async #watchedRun(options) {
    const { tests, files } = this.#coverage
    const { id } = options.activeMutant
    const isOfLoading = options.mutantActivation === 'static'
    const testFilter = options.testFilter ?? tests[id] ?? []
    if (testFilter.length > 0) {
      const result = await this.#mutantRun({ ...options, testFilter, mutantActivation: 'runtime' })
      if (result.status !== 'survived' || !isOfLoading) return result
    }
    if (!isOfLoading) return super.mutantRun(options)
    this.#files = files[id]
    try {
      return await this.#mutantRun(options)
    } finally {
      this.#files = undefined
      this.#isLoadedWithBug = true
    }
  }

  /** Runs tests in the thread, and again in a new one if they fail there without the bug, too. */
  async #mutantRun(options) {
    let isNew = options.mutantActivation === 'static' || this.#isLoadedWithBug
    this.#isLoadedWithBug = false
    for (; ; isNew = true) {
      if (isNew) await this.#thread.end()
      this.#runIn({ isIsolated: false, isKept: true })
      const result = await super.mutantRun(options)
      if (isNew || result.status === 'survived') return result
      if (result.status === 'killed' && (await this.#passWithoutBug(result.killedBy))) return result
    }
  }

  async run(what = {}) {
    const isKnown = this.#files !== undefined || (what.testIds ?? []).length > 0
    // Otherwise, Vitest looks each time for the test files that depend on the source.
    return super.run(isKnown ? { ...what, testFiles: this.#files, relatedFiles: undefined } : what)
  }

  async dispose() {
    await this.#thread.end()
    await super.dispose()
  }

  async #passWithoutBug(testIds) {
    this.ctx.provide('activeMutant', NO_BUG)
    const { status, tests = [] } = await this.run({ testIds })
    return status === 'complete' && tests.every((test) => test.failureMessage === undefined)
  }

  #runIn({ isIsolated, isKept }) {
    for (const { config } of this.ctx.projects) {
      config.isolate = isIsolated
      config.pool = isKept ? this.#thread.pool.name : 'threads'
      config.poolRunner = isKept ? this.#thread.pool : undefined
    }
  }
}

function* testsIn({ tasks = [] }) {
  for (const task of tasks) {
    if (task.type === 'test') yield task
    else yield* testsIn(task)
  }
}

/** @param coverage names, each with an object that has the bugs as its keys */
function byBug(coverage) {
  const names = {}
  for (const [name, bugs] of coverage) {
    for (const id of Object.keys(bugs)) {
      names[id] ??= []
      names[id].push(name)
    }
  }
  return names
}

const create = (injector) => injector.provideValue('globalNamespace', NAMESPACE).injectClass(WarmRunner)
create.inject = ['$injector']

export const strykerPlugins = [{ kind: 'TestRunner', name: 'warm', factory: create }]
export const strykerValidationSchema = schema

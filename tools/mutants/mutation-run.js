import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTested } from './tested-bugs.js'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))

/** Vitest does not look for tests below `node_modules`. */
const SANDBOX = '.mutants'

const NOTICED = new Set(['Killed', 'Timeout', 'CompileError', 'RuntimeError'])
const MISSED = new Set(['Survived', 'NoCoverage'])

const KEEP_EVERY_MILLISECONDS = 2_000

/**
 * Plants small bugs in files, one at a time, and runs the tests that execute the changed line.
 *
 * @param mutate patterns of files, or `file:line:column-line:column`
 * @param tests patterns of test files
 * @param keep is called every few seconds with all bugs; those that were not tested yet count as not noticed
 * @returns each bug that compiles: `file`, `line` (its number), `source` (the line's text), `mutator`, `replacement`, `isTested`, `isNoticed`,
 * and `range`, by which another run plants it again
 */
export async function mutationRun(root, mutate, tests, { jobs, keep = () => {} }) {
  const { Stryker } = await import('@stryker-mutator/core')
  process.env.MUTANTS_TESTS = JSON.stringify(tests)
  let keptAt = 0
  onTested((bugs) => {
    if (performance.now() - keptAt < KEEP_EVERY_MILLISECONDS) return
    keptAt = performance.now()
    const isPlanted = ({ status }) => status === undefined || isBug({ status })
    keep(bugs.filter(isPlanted).map((bug) => planted(root, bug)))
  })
  const stryker = new Stryker({
    testRunner: 'warm',
    plugins: [`${FOLDER}runner.js`, `${FOLDER}error-texts.js`, `${FOLDER}tested-bugs.js`],
    ignorers: ['error-texts'],
    vitest: { configFile: relative(root, `${FOLDER}vitest.config.ts`), related: true },
    mutate: [...mutate, '!**/*.test.ts', '!**/*.fixture.ts', '!**/*.behaviour.ts'],
    coverageAnalysis: 'perTest',
    // Endless tests are found by the processor time that they take.
    timeoutMS: 1_800_000,
    // On a busy machine, too.
    dryRunTimeoutMinutes: 60,
    concurrency: jobs,
    reporters: ['progress-append-only', 'tested-bugs'],
    tempDirName: SANDBOX,
    // Some tests of the engine start it compiled, in another process.
    ignorePatterns: [
      '**/dist',
      '!packages/local/dist',
      'comparisons/node_modules',
      'tools/mutants/node_modules',
    ],
    // Sources are transformed, not compiled, so no project file has to be rewritten for them.
    tsconfigFile: 'none',
    disableTypeChecks: false,
    allowConsoleColors: false,
    // A process that ends because of an endless test is no news.
    logLevel: 'error',
  })
  const results = await stryker.runMutationTest()
  return results.filter(isBug).map((result) => planted(root, result))
}

const isBug = ({ status }) => NOTICED.has(status) || MISSED.has(status)

function planted(root, { fileName, location: { start, end }, mutatorName, replacement, status }) {
  const file = relative(root, fileName)
  return {
    file,
    line: start.line,
    source: (readFileSync(fileName, 'utf8').split('\n')[start.line - 1] ?? '').trim(),
    mutator: mutatorName,
    replacement,
    isTested: status !== undefined,
    isNoticed: NOTICED.has(status),
    range: `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`,
  }
}

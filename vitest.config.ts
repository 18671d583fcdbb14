import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { comparisonsAreInstalled } from './tools/comparisons.js'
import { LongestFirst } from './tools/longest-first.js'
import { SOURCE_ALIASES } from './tools/source-aliases.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** How many random cases a test tries: a few in `npm test`, many in `npm run test:full`. */
    trials: 'few' | 'many'
    /** What random cases are drawn from. It is fixed, so that a run fails or passes again; `npm run search-seeds` gives others. */
    seed: number
  }
}

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const PLACES = ['packages/*/src', 'scenarios/src', 'simulation/src', 'bench/src', 'examples/src', 'tools']
const filesOf = (ending: string) => PLACES.map((place) => `${place}/**/*${ending}`)

export default defineConfig({
  resolve: {
    alias: SOURCE_ALIASES,
  },
  test: {
    // Many times what any of them needs, for machines that are busy.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    setupFiles: source('./tools/seeded-properties.ts'),
    // CommonJS packages are imported as Node imports them.
    deps: { interopDefault: false },
    // Without colours even where `CI` is set, which colours what the commands under test print into a pipe.
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true', NO_COLOR: '1' },
    // By default one processor is left to the main process, which has little to do.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: LongestFirst },
    // The name of a file says when it runs: `npm test` runs the project `fast`, `npm run test:full` the others.
    // Those of random cases run in both, a few of them first and many then.
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: filesOf('.test.ts'),
          // Some folders have packages of their own, such as `tools/mutants`, whose tests are not the project's.
          exclude: ['**/*.long.test.ts', '**/node_modules/**'],
          // Most files load the AWS SDK and the engine, which takes longer than their tests: a process loads them once.
          isolate: false,
          provide: { trials: 'few', seed: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          include: filesOf('.long.test.ts'),
          isolate: false,
          provide: { trials: 'many', seed: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'trials',
          include: ['.trials.test.ts', '.property.test.ts'].flatMap(filesOf),
          isolate: false,
          provide: { trials: 'many', seed: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'comparisons',
          provide: { trials: 'few', seed: 1 },
          include: [
            comparisonsAreInstalled() ? 'comparisons/src/**/*.test.ts' : 'comparisons/not-installed.test.ts',
          ],
        },
      },
    ],
  },
})

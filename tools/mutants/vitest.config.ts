import { fileURLToPath } from 'node:url'
import config from '../../vitest.config.js'
import { SoonestFirst } from './soonest-first.js'

const { projects, ...test } = config.test ?? {}

/** The tests of one run, as patterns. The command sets them, because Stryker starts the processes that read this file. */
const include = JSON.parse(process.env.MUTANTS_TESTS ?? '[]') as string[]

export default {
  ...config,
  resolve: {
    alias: {
      ...config.resolve?.alias,
      'fast-check': fileURLToPath(new URL('./fast-check.ts', import.meta.url)),
    },
  },
  test: {
    ...test,
    include,
    exclude: ['**/*.long.test.ts', '**/*.trials.test.ts'],
    provide: { trials: 'few', seed: 1 },
    // For tests that wait for something that never comes.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { sequencer: SoonestFirst },
  },
}

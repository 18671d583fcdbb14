import config from '../../vitest.config.js'

const { projects, ...test } = config.test ?? {}

/** The tests of one run, as patterns. The command sets them, because Stryker starts the processes that read this file. */
const include = JSON.parse(process.env.MUTANTS_TESTS ?? '[]') as string[]

export default {
  ...config,
  test: {
    ...test,
    include,
    exclude: ['**/*.long.test.ts', '**/*.trials.test.ts'],
    provide: { trials: 'few' },
  },
}

import { fileURLToPath } from 'node:url'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import config from '../../vitest.config.js'

const { projects, ...test } = config.test ?? {}

/** The tests of one run, as patterns. The command sets them, because Stryker starts the processes that read this file. */
const include = JSON.parse(process.env.MUTANTS_TESTS ?? '[]') as string[]

const isOfProperties = ({ moduleId }: TestSpecification) => moduleId.includes('.property.test.')

/** Tests of properties take longest, and a bug needs to be noticed once. */
class PropertiesLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted(
      (a, b) => Number(isOfProperties(a)) - Number(isOfProperties(b)) || (a.moduleId < b.moduleId ? -1 : 1),
    )
  }
}

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
    provide: { trials: 'few' },
    sequence: { sequencer: PropertiesLast },
  },
}

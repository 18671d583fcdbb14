import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Simulations, models, and processes that are killed: all but a few of the files that take a minute have this name. */
const LONG = /\.trials\.test\.ts$/

/**
 * Starts the files that take long before the others, so that no processor waits for one of them at the end. A clean checkout has no
 * times of an earlier run, and by their size, which vitest goes by then, some of them would be the last.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Simulations, models, processes that are killed, and the hunts for planted bugs: all but a few of the files that take a minute. */
const LONG = /\.trials\.test\.ts$|\/hunt[^/]*\.long\.test\.ts$/

/**
 * Starts the files that take long before the others, so that no processor waits for one of them at the end. A clean checkout has no
 * times of an earlier run. Then vitest sorts by size, and some of them would be the last.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

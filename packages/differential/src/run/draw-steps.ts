import fc from 'fast-check'
import type { Family, Step } from '../families/family.js'

/** Generated in portions: all requests of a long run at once would fill the memory. */
const PORTION = 500

/** The given number of requests, always the same for a seed. */
export function* drawSteps(families: readonly Family[], seed: number, operations: number): Generator<Step> {
  const any = fc.oneof(...families.map(({ steps, weight }) => ({ weight, arbitrary: steps })))
  for (let drawn = 0; drawn < operations; drawn += PORTION) {
    const numRuns = Math.min(PORTION, operations - drawn)
    yield* fc.sample(any, { seed: seed + drawn, numRuns })
  }
}

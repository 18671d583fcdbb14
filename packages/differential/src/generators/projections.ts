import fc, { type Arbitrary } from 'fast-check'
import { path } from './paths.js'
import { seldomSpoilt } from './spoilt-text.js'
import { sometimes } from './weighted.js'

/** The attribute name at the beginning of a path, written as a placeholder or not. */
export function firstStep(path: string): string {
  return path.replace(/^#/, '').replace(/[.[].*$/, '')
}

/** Projections, rarely with paths that overlap. */
export const projection: Arbitrary<string> = seldomSpoilt(
  fc
    .tuple(fc.uniqueArray(path, { minLength: 1, maxLength: 4, selector: firstStep }), sometimes(6, path))
    .map(([apart, another]) => (another === undefined ? apart : [...apart, another]))
    .map((paths) => paths.join(', ')),
)

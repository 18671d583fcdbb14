import { invalidOption, requireInteger } from '../../options/check.js'

/**
 * When a quiet key loses shards:
 * - `when-it-pays`: when the reads that it has cost to have them would have paid for moving the items.
 * - `always`: when it was quiet for `quiet`, whatever moving the items costs.
 */
export type ShrinkRule = 'when-it-pays' | 'always'

/** When shards are removed, and the write units a day that this process may spend on it. */
export interface Shrinking {
  readonly shrink: ShrinkRule
  readonly shrinkUnitsPerDay: number
}

/** A little more than one key moves in a day at the default rate. */
const DEFAULT_UNITS_PER_DAY = 10_000_000

/** @throws IsothermError `options.invalid` */
export function parseShrink(rule: unknown = 'when-it-pays', unitsPerDay: unknown): Shrinking {
  if (rule !== 'when-it-pays' && rule !== 'always') {
    throw invalidOption(
      'dynamicShards.shrink',
      rule,
      "'when-it-pays' or 'always'. To keep all shards, set quiet: false",
    )
  }
  if (rule === 'always' && unitsPerDay !== undefined) {
    throw invalidOption(
      'dynamicShards.shrinkUnitsPerDay',
      unitsPerDay,
      "missing with shrink: 'always', which moves items without counting their price first",
    )
  }
  const option = 'dynamicShards.shrinkUnitsPerDay'
  return {
    shrink: /* mark: shrinks-where-it-pays */ rule,
    shrinkUnitsPerDay: requireInteger(
      option,
      unitsPerDay ?? DEFAULT_UNITS_PER_DAY,
      0,
      Number.MAX_SAFE_INTEGER,
    ),
  }
}

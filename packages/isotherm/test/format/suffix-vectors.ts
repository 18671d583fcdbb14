import { IsothermError } from '../../src/errors/isotherm-error.js'
import type { LogicalKey, SuffixableKey } from '../../src/keys/key.js'
import { Suffix } from '../../src/keys/suffix.js'
import { combinations, type Section, section } from './vector-section.js'

interface KeyFormat {
  readonly delimiter: string
  readonly adopt: boolean
}

const text = (S: string): SuffixableKey => ({ S })
const bytes = (...B: number[]): SuffixableKey => ({ B: new Uint8Array(B) })
const formats: readonly KeyFormat[] = [
  { delimiter: '_', adopt: false },
  { delimiter: '_', adopt: true },
  { delimiter: '#', adopt: true },
  { delimiter: '·shard·', adopt: false },
]

const plainKeys = [text('/sale'), text('straße-😀'), text('a_b'), text('_'), bytes(0, 255, 95), bytes(7)]

/** Keys that end like a suffix, or nearly. */
const likeSuffixes = ['a_1', 'a_2', 'a_1000', 'a_1001', 'a_0', 'a_02', 'a_', 'a_x', 'a_2_3', '_2', 'a#2'].map(
  text,
)

function suffixOf({ delimiter, adopt }: KeyFormat): Suffix {
  return new Suffix('table', delimiter, adopt)
}

export const suffixSections: Readonly<Record<string, Section>> = {
  /** The physical key of a logical key and a shard, or the error. */
  added: section(
    [
      ...combinations<KeyFormat & { logical: SuffixableKey; shard: number }>({
        delimiter: ['_', '#', '·shard·'],
        adopt: [false, true],
        logical: plainKeys,
        shard: [1, 2, 10, 1_000],
      }),
      ...formats.flatMap((format) => likeSuffixes.map((logical) => ({ ...format, logical, shard: 3 }))),
      // 2,048 bytes are the limit of a partition key.
      ...[2_046, 2_047].map((length) => ({
        delimiter: '_',
        adopt: false,
        logical: text('x'.repeat(length)),
        shard: 3,
      })),
    ],
    ({ logical, shard, ...format }) => {
      try {
        return { physical: suffixOf(format).add(logical as LogicalKey, shard) }
      } catch (error) {
        if (error instanceof IsothermError) return { error: error.code }
        throw error
      }
    },
  ),
  /** The logical key and the shard of a physical key. `null`: it is no shard of this table. */
  stripped: section(
    formats.flatMap((format) =>
      [
        ...likeSuffixes,
        text('/sale'),
        text('/sale·shard·12'),
        bytes(7, 95, 50),
        bytes(7, 95),
        bytes(255, 35, 57),
      ].map((physical) => ({ ...format, physical })),
    ),
    ({ physical, ...format }) => ({ is: suffixOf(format).strip(physical) ?? null }),
  ),
}

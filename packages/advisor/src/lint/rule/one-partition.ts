import { writeUnits } from '@isotherm/semantics'
import type { ItemSample } from '../../sample/item-sample.js'
import { PARTITION_WRITE_UNITS } from '../../sizing/partition-limits.js'
import { bytesText, grouped } from '../../text/text.js'

/** How many items a second one partition takes, for the items that are known. */
export function oneKeyTakes(sample: ItemSample | undefined): string {
  if (sample === undefined || sample.items === 0) {
    return '1,000 writes a second of items of up to 1 KB, and 500 of items of 2 KB'
  }
  const units = writeUnits(sample.meanItemBytes)
  const mean = bytesText(sample.meanItemBytes)
  return `${grouped(PARTITION_WRITE_UNITS / units)} writes a second (the sampled items have ${mean} on average: ${units} ${units === 1 ? 'unit' : 'units'} each)`
}

export const KEY_DESIGN =
  'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html'
export const SHARDING =
  'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-sharding.html'
export const GSI_THROTTLING =
  'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/gsi-throttling.html'
export const ADAPTIVE_CAPACITY =
  'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html'
export const UNITS =
  'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html'
export const INDEXES =
  'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-indexes-general.html'
export const SPARSE_INDEXES =
  'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-indexes-general-sparse-indexes.html'
export const LOCAL_INDEXES = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html'
export const GLOBAL_INDEXES = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html'
export const LIMITS = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html'

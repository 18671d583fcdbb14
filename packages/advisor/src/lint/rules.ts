import type { Rule } from './rule/rule.js'
import { attributeNamesWeigh } from './rules/attribute-names-weigh.js'
import { collectionNearLimit } from './rules/collection-near-limit.js'
import { dominantIndexKey } from './rules/dominant-index-key.js'
import { dominantPartitionKey } from './rules/dominant-partition-key.js'
import { duplicateIndex } from './rules/duplicate-index.js'
import { fewPartitionKeys } from './rules/few-partition-keys.js'
import { fixedProvisionedThroughput } from './rules/fixed-provisioned-throughput.js'
import { indexKeyTypeMismatch } from './rules/index-key-type-mismatch.js'
import { indexOnChangingAttribute } from './rules/index-on-changing-attribute.js'
import { indexProjectsAll } from './rules/index-projects-all.js'
import { indexRepeatsPartitionKey } from './rules/index-repeats-partition-key.js'
import { indexThroughputBelowTable } from './rules/index-throughput-below-table.js'
import { keyLooksSharded } from './rules/key-looks-sharded.js'
import { keyTooLongForSuffix } from './rules/key-too-long-for-suffix.js'
import { localIndexCollectionLimit } from './rules/local-index-collection-limit.js'
import { localIndexPreventsSplit } from './rules/local-index-prevents-split.js'
import { lowCardinalityIndexKey } from './rules/low-cardinality-index-key.js'
import { lowCardinalityPartitionKey } from './rules/low-cardinality-partition-key.js'
import { manyIndexes } from './rules/many-indexes.js'
import { monotonicSortKey } from './rules/monotonic-sort-key.js'
import { numericPartitionKey } from './rules/numeric-partition-key.js'
import { oversizedAttribute } from './rules/oversized-attribute.js'
import { oversizedItems } from './rules/oversized-items.js'
import { throughputAboveOnePartition } from './rules/throughput-above-one-partition.js'
import { timeBasedIndexKey } from './rules/time-based-index-key.js'
import { timeBasedPartitionKey } from './rules/time-based-partition-key.js'
import { timeToLiveNotSeconds } from './rules/time-to-live-not-seconds.js'
import { uncappedOnDemand } from './rules/uncapped-on-demand.js'
import { undefinedKeyAttribute } from './rules/undefined-key-attribute.js'
import { unusedAttributeDefinition } from './rules/unused-attribute-definition.js'

/** All rules. Findings are reported in this order, the most serious subjects first. */
export const RULES: readonly Rule[] = [
  undefinedKeyAttribute,
  unusedAttributeDefinition,
  lowCardinalityPartitionKey,
  timeBasedPartitionKey,
  fewPartitionKeys,
  dominantPartitionKey,
  lowCardinalityIndexKey,
  timeBasedIndexKey,
  dominantIndexKey,
  indexThroughputBelowTable,
  localIndexPreventsSplit,
  localIndexCollectionLimit,
  collectionNearLimit,
  monotonicSortKey,
  indexRepeatsPartitionKey,
  numericPartitionKey,
  keyTooLongForSuffix,
  keyLooksSharded,
  indexOnChangingAttribute,
  indexProjectsAll,
  duplicateIndex,
  manyIndexes,
  oversizedItems,
  oversizedAttribute,
  attributeNamesWeigh,
  timeToLiveNotSeconds,
  indexKeyTypeMismatch,
  fixedProvisionedThroughput,
  throughputAboveOnePartition,
  uncappedOnDemand,
]

const GUIDE = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide'
const API = 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference'

export const PARTITION_KEYS = `${GUIDE}/bp-partition-key-design.html`
export const BURST_ADAPTIVE = `${GUIDE}/burst-adaptive-capacity.html`
export const ON_DEMAND = `${GUIDE}/on-demand-capacity-mode.html`
export const ON_DEMAND_MAXIMUM = `${GUIDE}/on-demand-capacity-mode-max-throughput.html`
export const SWITCHING_MODES = `${GUIDE}/bp-switching-capacity-modes.html`
export const WARM = `${GUIDE}/warm-throughput.html`
export const WARM_SCENARIOS = `${GUIDE}/warm-throughput-scenarios.html`
export const QUOTAS = `${GUIDE}/ServiceQuotas.html`
export const PARTITIONS = `${GUIDE}/HowItWorks.Partitions.html`
export const READS_WRITES = `${GUIDE}/read-write-operations.html`
export const GLOBAL_INDEXES = `${GUIDE}/GSI.html`
export const LOCAL_INDEXES = `${GUIDE}/LSI.html`
export const INDEX_THROTTLING = `${GUIDE}/gsi-throttling.html`
export const KEY_RANGE = `${GUIDE}/throttling-key-range-limit-exceeded-mitigation.html`
export const TRANSACTIONS = `${GUIDE}/transaction-apis.html`
export const ERRORS = `${GUIDE}/Programming.Errors.html`
export const TIME_TO_LIVE = `${GUIDE}/TTL.html`
export const THROTTLING_REASON = `${API}/API_ThrottlingReason.html`
export const BATCH_WRITE = `${API}/API_BatchWriteItem.html`
export const CONSUMED_CAPACITY = `${API}/API_ConsumedCapacity.html`
export const HEAT_SERIES =
  'https://aws.amazon.com/blogs/database/part-3-scaling-dynamodb-how-partitions-hot-keys-and-split-for-heat-impact-performance/'
export const ATC22 = 'https://www.usenix.org/conference/atc22/presentation/elhemali'
/** Tests that also pass on the service. */
export const SCYLLA = 'https://github.com/scylladb/scylladb/tree/master/test/alternator'
/** The conditions of a measurement that was published in April 2024, and how the constants follow from it. */
export const ONE_INDEX_KEY = 'decisions/033-when-an-index-holds-its-table-back.md'
export const LOAD_TEST = 'https://github.com/andrestone/dynamodb-load-test'

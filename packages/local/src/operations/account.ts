import { defineOperation } from './operation.js'

/** Units that an account may provision in all its tables together, as a multiple of what one table may have. */
const ACCOUNT_TO_TABLE = 2

/** Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeLimits.html */
export const describeLimits = defineOperation<object>(
  { type: 'structure', members: {} },
  (_, { tableUnitsPerSecond }) => ({
    AccountMaxReadCapacityUnits: ACCOUNT_TO_TABLE * tableUnitsPerSecond,
    AccountMaxWriteCapacityUnits: ACCOUNT_TO_TABLE * tableUnitsPerSecond,
    TableMaxReadCapacityUnits: tableUnitsPerSecond,
    TableMaxWriteCapacityUnits: tableUnitsPerSecond,
  }),
)

/** Clients that look for their endpoint are told to stay where they are. */
export const describeEndpoints = defineOperation<object>(
  { type: 'structure', members: {} },
  (_, { address }) => ({ Endpoints: [{ Address: address, CachePeriodInMinutes: 1440 }] }),
)

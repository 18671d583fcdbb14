import { defineOperation } from './operation.js'

/** Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeLimits.html */
export const describeLimits = defineOperation<object>(
  { type: 'structure', members: {} },
  (_, { capacity }) => ({
    AccountMaxReadCapacityUnits: capacity.accountUnitsPerSecond,
    AccountMaxWriteCapacityUnits: capacity.accountUnitsPerSecond,
    TableMaxReadCapacityUnits: capacity.tableUnitsPerSecond,
    TableMaxWriteCapacityUnits: capacity.tableUnitsPerSecond,
  }),
)

/** Returns the client's own address, so that clients that discover their endpoint keep using it. */
export const describeEndpoints = defineOperation<object>(
  { type: 'structure', members: {} },
  (_, { address }) => ({ Endpoints: [{ Address: address, CachePeriodInMinutes: 1440 }] }),
)

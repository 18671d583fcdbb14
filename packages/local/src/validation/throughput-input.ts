import type { BillingMode, Throughput } from '../capacity/throughput.js'
import { invalidParameters, ServiceError } from '../errors/service-error.js'
import type { Shape } from './shape.js'

/** The throughput of a table or index in the form of requests. */
export interface ThroughputInput {
  readonly ReadCapacityUnits: number
  readonly WriteCapacityUnits: number
}
export interface WarmInput {
  readonly ReadUnitsPerSecond?: number
  readonly WriteUnitsPerSecond?: number
}

export const BILLING_MODE = {
  type: 'string',
  oneOf: ['PROVISIONED', 'PAY_PER_REQUEST'],
} as const satisfies Shape

export const THROUGHPUT = {
  type: 'structure',
  members: {
    ReadCapacityUnits: { type: 'integer', required: true, value: { min: 1 } },
    WriteCapacityUnits: { type: 'integer', required: true, value: { min: 1 } },
  },
} as const satisfies Shape

export const WARM_THROUGHPUT = {
  type: 'structure',
  members: {
    ReadUnitsPerSecond: { type: 'integer', value: { min: 1 } },
    WriteUnitsPerSecond: { type: 'integer', value: { min: 1 } },
  },
} as const satisfies Shape

const ON_DEMAND: Throughput = { readUnits: 0, writeUnits: 0 }

/** How the service words a throughput that a request must not have, and one that it must have. */
interface ThroughputTexts {
  readonly refused: string
  readonly missing: string
}

const NO_UNITS = 'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified'

export const OF_NEW_TABLE: ThroughputTexts = {
  refused: `${NO_UNITS} when BillingMode is PAY_PER_REQUEST`,
  missing: 'ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED',
}

export const OF_TABLE: ThroughputTexts = {
  refused: OF_NEW_TABLE.refused,
  missing: 'ProvisionedThroughput must be specified when BillingMode is PROVISIONED',
}

/** Of an index that CreateTable creates with its table. */
export const ofNewIndex = (name: string): ThroughputTexts => ({
  refused: `ProvisionedThroughput should not be specified for index: ${name} when BillingMode is PAY_PER_REQUEST`,
  missing: `ProvisionedThroughput is not specified for index: ${name}`,
})

/** Of an index that UpdateTable adds. */
export const ofAddedIndex = (name: string): ThroughputTexts => ({
  refused: `${NO_UNITS} for index: ${name} when BillingMode is PAY_PER_REQUEST`,
  missing: `Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: ${name}`,
})

/** Of an index that UpdateTable changes. */
export const ofIndex = (name: string): ThroughputTexts => ({
  refused: `The only Updates for index: ${name} when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput`,
  missing: `ProvisionedThroughput must be specified for index: ${name}`,
})

/** Throughput from a request, checked against the billing mode. @throws ServiceError */
export function throughputOf(
  billingMode: BillingMode,
  input: ThroughputInput | undefined,
  { refused, missing }: ThroughputTexts,
): Throughput {
  if (billingMode === 'PAY_PER_REQUEST') {
    if (input === undefined) return ON_DEMAND
    throw invalidParameters(refused)
  }
  if (input === undefined) throw invalidParameters(missing)
  return { readUnits: input.ReadCapacityUnits, writeUnits: input.WriteCapacityUnits }
}

/** Where the guide says what an on-demand table starts with. The service's refusal names it. */
const START_OF_ON_DEMAND =
  'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial'

/**
 * The requested warm throughput of a new table or index, separately for reads and writes.
 * @param start what it starts with otherwise
 * @throws ServiceError
 */
export function newWarmThroughput(
  billingMode: BillingMode,
  input: WarmInput,
  start: Throughput,
  index?: string,
): Throughput {
  return warmthAbove(input, start, (member) => {
    if (billingMode === 'PAY_PER_REQUEST') {
      return `${lowerWarmth(member, index)} initial throughput for OnDemand. See: ${START_OF_ON_DEMAND}`
    }
    const units = member === 'ReadUnitsPerSecond' ? 'ReadCapacityUnits' : 'WriteCapacityUnits'
    return `${lowerWarmth(member, index)} ${units} of ProvisionedThroughput`
  })
}

/** The requested warm throughput of an existing table or index. It cannot be decreased. @throws ServiceError */
export function raisedWarmThroughput(input: WarmInput, current: Throughput, index?: string): Throughput {
  return warmthAbove(
    input,
    current,
    (member) =>
      `${lowerWarmth(member, index)} current WarmThroughput, decreasing WarmThroughput is not supported`,
  )
}

function warmthAbove(
  input: WarmInput,
  least: Throughput,
  textOf: (member: keyof WarmInput) => string,
): Throughput {
  const {
    ReadUnitsPerSecond: readUnits = least.readUnits,
    WriteUnitsPerSecond: writeUnits = least.writeUnits,
  } = input
  if (readUnits < least.readUnits) throw invalidParameters(textOf('ReadUnitsPerSecond'))
  if (writeUnits < least.writeUnits) throw invalidParameters(textOf('WriteUnitsPerSecond'))
  return { readUnits, writeUnits }
}

function lowerWarmth(member: keyof WarmInput, index: string | undefined): string {
  return `Requested ${member} for WarmThroughput for ${index === undefined ? 'table' : `index ${index}`} is lower than`
}

/**
 * Checks the account's quota for one table or index, which also limits how many partitions a request can create.
 * @throws ServiceError
 */
export function checkThroughputQuota(
  throughputs: Iterable<Throughput | undefined>,
  unitsPerSecond: number,
): void {
  for (const throughput of throughputs) {
    const wanted = Math.max(throughput?.readUnits ?? 0, throughput?.writeUnits ?? 0)
    if (wanted <= unitsPerSecond) continue
    throw new ServiceError(
      'LimitExceededException',
      `Subscriber limit exceeded: Throughput of a table or index is limited to ${unitsPerSecond} units per second. Requested: ${wanted}`,
    )
  }
}

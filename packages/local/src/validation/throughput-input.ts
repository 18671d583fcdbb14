import type { BillingMode, OnDemandMaximum, Throughput } from '../capacity/throughput.js'
import { invalidParameters, ServiceError } from '../errors/service-error.js'
import type { Shape } from './shape.js'

/** The throughput of a table or index in the form of requests. */
export interface ThroughputInput {
  readonly ReadCapacityUnits: number
  readonly WriteCapacityUnits: number
}
export interface OnDemandInput {
  readonly MaxReadRequestUnits?: number
  readonly MaxWriteRequestUnits?: number
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

export const ON_DEMAND_THROUGHPUT = {
  type: 'structure',
  members: { MaxReadRequestUnits: { type: 'integer' }, MaxWriteRequestUnits: { type: 'integer' } },
} as const satisfies Shape

export const WARM_THROUGHPUT = {
  type: 'structure',
  members: {
    ReadUnitsPerSecond: { type: 'integer', value: { min: 1 } },
    WriteUnitsPerSecond: { type: 'integer', value: { min: 1 } },
  },
} as const satisfies Shape

const ON_DEMAND: Throughput = { readUnits: 0, writeUnits: 0 }

/** Throughput from a request, checked against the billing mode. @throws ServiceError */
export function throughputOf(
  billingMode: BillingMode,
  input: ThroughputInput | undefined,
  index?: string,
): Throughput {
  const whose = index === undefined ? '' : ` for index: ${index}`
  if (billingMode === 'PAY_PER_REQUEST') {
    if (input === undefined) return ON_DEMAND
    throw invalidParameters(
      index === undefined
        ? 'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST'
        : `ProvisionedThroughput should not be specified${whose} when BillingMode is PAY_PER_REQUEST`,
    )
  }
  if (input === undefined) {
    throw invalidParameters(
      index === undefined
        ? 'ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED'
        : `ProvisionedThroughput must be specified${whose}`,
    )
  }
  return { readUnits: input.ReadCapacityUnits, writeUnits: input.WriteCapacityUnits }
}

/**
 * The maximum units per second that an on-demand table or index may use: the requested value, or else the current one.
 * -1 removes the maximum.
 * @throws ServiceError
 */
export function onDemandMaximumOf(
  billingMode: BillingMode,
  input: OnDemandInput | undefined,
  current: OnDemandMaximum | undefined,
  index?: string,
): OnDemandMaximum | undefined {
  if (input === undefined) return current
  if (billingMode !== 'PAY_PER_REQUEST') {
    throw invalidParameters('OnDemandThroughput can only be specified when BillingMode is PAY_PER_REQUEST')
  }
  const readUnits = limitOf('MaxReadRequestUnits', input.MaxReadRequestUnits, current?.readUnits, index)
  const writeUnits = limitOf('MaxWriteRequestUnits', input.MaxWriteRequestUnits, current?.writeUnits, index)
  if (readUnits === undefined && writeUnits === undefined) return undefined
  return {
    ...(readUnits === undefined ? {} : { readUnits }),
    ...(writeUnits === undefined ? {} : { writeUnits }),
  }
}

function limitOf(
  member: string,
  wanted: number | undefined,
  current: number | undefined,
  index: string | undefined,
): number | undefined {
  if (wanted === undefined) return current
  if (wanted === -1) return undefined
  if (wanted >= 1) return wanted
  throw invalidParameters(
    `Requested ${member} for OnDemandThroughput for ${nameOf(index)} is outside of valid range`,
  )
}

/**
 * The requested warm throughput of a table or index, separately for reads and writes. It cannot be decreased.
 * @throws ServiceError
 */
export function warmThroughputOf(input: WarmInput, current: Throughput, index?: string): Throughput {
  const readUnits = input.ReadUnitsPerSecond ?? current.readUnits
  const writeUnits = input.WriteUnitsPerSecond ?? current.writeUnits
  const lower =
    readUnits < current.readUnits
      ? 'ReadUnitsPerSecond'
      : writeUnits < current.writeUnits
        ? 'WriteUnitsPerSecond'
        : undefined
  if (lower === undefined) return { readUnits, writeUnits }
  throw invalidParameters(
    `Requested ${lower} for WarmThroughput for ${nameOf(index)} is lower than current WarmThroughput, decreasing WarmThroughput is not supported`,
  )
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

function nameOf(index: string | undefined): string {
  return index === undefined ? 'table' : `index ${index}`
}

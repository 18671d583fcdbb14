import type { BillingMode, OnDemandMaximum } from '../capacity/throughput.js'
import { invalidParameters } from '../errors/service-error.js'
import type { Shape } from './shape.js'

/** The maximum throughput of an on-demand table or index in the form of requests. */
export interface OnDemandInput {
  readonly MaxReadRequestUnits?: number
  readonly MaxWriteRequestUnits?: number
}

export const ON_DEMAND_THROUGHPUT = {
  type: 'structure',
  members: { MaxReadRequestUnits: { type: 'integer' }, MaxWriteRequestUnits: { type: 'integer' } },
} as const satisfies Shape

const MEMBERS = ['MaxReadRequestUnits', 'MaxWriteRequestUnits'] as const
/** The value that removes a maximum. */
const NO_MAXIMUM = -1

/**
 * The maximum units per second that a new table or index may use. The service words its refusals of new and of existing tables
 * differently. Observed in October 2026.
 * @throws ServiceError
 */
export function newOnDemandMaximum(
  billingMode: BillingMode,
  input: OnDemandInput = {},
  index?: string,
): OnDemandMaximum | undefined {
  const [given] = givenMembers(input)
  if (given !== undefined && billingMode === 'PROVISIONED') {
    const whose = index === undefined ? '' : ` for index: ${index}`
    throw invalidParameters(
      `${given} for OnDemandThroughput${whose} cannot be specified when table BillingMode is PROVISIONED.`,
    )
  }
  checkRange(input, 1, index)
  return maximumOf(input.MaxReadRequestUnits, input.MaxWriteRequestUnits)
}

/**
 * The maximum of an existing table or index after an update: the requested values, or else the current ones. A switch to provisioned
 * mode removes it, and it does not come back with a later switch. Observed in 2026.
 * @throws ServiceError
 */
export function changedOnDemandMaximum(
  billingMode: BillingMode,
  input: OnDemandInput = {},
  current: OnDemandMaximum = {},
  index?: string,
): OnDemandMaximum | undefined {
  if (billingMode === 'PROVISIONED') {
    const [given] = givenMembers(input)
    if (given === undefined) return undefined
    const whose = index === undefined ? '' : ` for index : ${index}`
    throw invalidParameters(
      `${given} for OnDemandThroughput${whose} cannot be specified when the table BillingMode is PROVISIONED`,
    )
  }
  checkRange(input, NO_MAXIMUM, index)
  return maximumOf(
    input.MaxReadRequestUnits ?? current.readUnits,
    input.MaxWriteRequestUnits ?? current.writeUnits,
  )
}

function givenMembers(input: OnDemandInput): readonly (typeof MEMBERS)[number][] {
  return MEMBERS.filter((member) => input[member] !== undefined)
}

function checkRange(input: OnDemandInput, least: number, index: string | undefined): void {
  for (const member of givenMembers(input)) {
    const units = input[member] ?? 1
    if (units >= least && units !== 0) continue
    throw invalidParameters(
      `Requested ${member} for OnDemandThroughput for ${index === undefined ? 'table' : `index : ${index}`} is outside of valid range`,
    )
  }
}

function maximumOf(
  readUnits: number | undefined,
  writeUnits: number | undefined,
): OnDemandMaximum | undefined {
  const reads = readUnits === undefined || readUnits === NO_MAXIMUM ? {} : { readUnits }
  const writes = writeUnits === undefined || writeUnits === NO_MAXIMUM ? {} : { writeUnits }
  const maximum = { ...reads, ...writes }
  return Object.keys(maximum).length === 0 ? undefined : maximum
}

import type { BillingMode, Throughput } from '../capacity/throughput.js'
import { ServiceError } from '../errors/service-error.js'
import type { CapacityParameters } from '../partition/capacity-parameters.js'
import { nextSwitchAt, type OnDemandSwitches } from '../table/on-demand-switches.js'
import type { TableDefinition } from '../table/table-definition.js'
import {
  decreasesOn,
  isDecrease,
  nextDecreaseAt,
  type ThroughputHistory,
} from '../table/throughput-history.js'
import type { OperationContext } from './operation.js'

/**
 * Checks a table's or an index's decreases of the day. A request that changes several of them is all or nothing, so
 * this runs before any is changed.
 * @throws ServiceError
 */
export function checkDecrease(
  history: ThroughputHistory,
  before: Throughput,
  after: Throughput,
  capacity: CapacityParameters,
  now: number,
): void {
  if (!isDecrease(before, after)) return
  const next = nextDecreaseAt(history, capacity, now)
  if (next <= now) return
  const { decreasesPerDay, decreaseIntervalSeconds } = capacity
  throw limitExceeded(
    `Provisioned throughput decreases are limited within a given UTC day. After the first ${decreasesPerDay} decreases, each subsequent decrease in the same UTC day can be performed at most once every ${decreaseIntervalSeconds} seconds. Number of decreases today: ${decreasesOn(now, history)}. Last decrease at ${inWords(history.lastDecreaseAt ?? now)}. Next decrease can be made at ${inWords(next)}`,
  )
}

/**
 * Checks a table's switches to on-demand mode. AWS documents how many are allowed. The text is the one AWS sent when
 * one switch per day was allowed, with today's number. Its current text is not published.
 * @throws ServiceError
 */
export function checkSwitch(
  switches: OnDemandSwitches,
  before: BillingMode,
  after: BillingMode,
  capacity: CapacityParameters,
  now: number,
): void {
  if (before !== 'PROVISIONED' || after !== 'PAY_PER_REQUEST') return
  const next = nextSwitchAt(switches, capacity, now)
  if (next <= now) return
  const last = switches.onDemandSwitches?.at(-1) ?? now
  throw limitExceeded(
    `Update to PayPerRequest mode are limited to ${capacity.onDemandSwitches} times in ${capacity.onDemandSwitchSeconds / 86_400} day(s). Last update at ${inWords(last)}. Next update can be made at ${inWords(next)}`,
  )
}

/**
 * Checks the throughput that the account may provision in a region, for all tables and indexes together. A request that
 * does not increase it always passes.
 * @param before the existing table, if there is one.
 * @throws ServiceError
 */
export function checkAccountQuota(
  { catalog, region, capacity }: OperationContext,
  before: TableDefinition | undefined,
  after: TableDefinition,
): void {
  const others = catalog
    .names(region)
    .map((name) => catalog.get(region, name)?.definition)
    .filter((definition) => definition !== undefined && definition.name !== after.name)
  for (const side of ['readUnits', 'writeUnits'] as const) {
    const wanted = provisioned(after, side)
    if (wanted <= (before === undefined ? 0 : provisioned(before, side))) continue
    const total = others.reduce(
      (sum, each) => sum + (each === undefined ? 0 : provisioned(each, side)),
      wanted,
    )
    if (total <= capacity.accountUnitsPerSecond) continue
    // AWS documents the limit and the exception, but not the text.
    const units = side === 'readUnits' ? 'read' : 'write'
    throw limitExceeded(
      `Provisioned throughput of all tables and indexes in this account and Region is limited to ${capacity.accountUnitsPerSecond} ${units} capacity units. Requested: ${total}`,
    )
  }
}

function provisioned({ throughput, indexes }: TableDefinition, side: keyof Throughput): number {
  return indexes.reduce((sum, index) => sum + index.throughput[side], throughput[side])
}

function limitExceeded(what: string): ServiceError {
  return new ServiceError('LimitExceededException', `Subscriber limit exceeded: ${what}`)
}

const IN_WORDS = { dateStyle: 'full', timeStyle: 'full', timeZone: 'UTC' } as const

/**
 * `Thursday, October 8, 2026 at 11:20:48 PM Coordinated Universal Time`, as the service prints times.
 *
 * The format is made where it is needed: it loads the names of a language, which took 30 ms of each start.
 */
function inWords(milliseconds: number): string {
  const text = new Intl.DateTimeFormat('en-US', IN_WORDS).format(milliseconds)
  // Newer Unicode data has a narrow space before PM.
  return text.replaceAll('\u202f', ' ')
}

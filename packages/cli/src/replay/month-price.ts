import { HOURS_PER_MONTH, type PriceList, regionOf } from '@isotherm/advisor'
import type { ReplayedTable } from '@isotherm/local'

const SECONDS_PER_MONTH = HOURS_PER_MONTH * 3_600

/**
 * The price of a month of a replayed table in its own capacity mode, in US dollars: on demand, as if each second of the
 * month were like those of the trace; provisioned, what is provisioned. Storage is not in it.
 *
 * @returns `undefined` if the table never existed
 * @throws AdvisorError `prices.no-region`
 */
export function monthPrice(
  { billing, replayed }: ReplayedTable,
  seconds: number,
  prices: PriceList,
  region: string,
): number | undefined {
  const own = regionOf(prices, region)
  if (billing === undefined) return undefined
  if (billing.mode === 'PROVISIONED') {
    return HOURS_PER_MONTH * (billing.readUnits * own.readUnitHour + billing.writeUnits * own.writeUnitHour)
  }
  let dollars = 0
  for (const [whose, units] of Object.entries(replayed.units)) {
    const million = whose.startsWith('read') ? own.millionReads : own.millionWrites
    dollars += (units / Math.max(1, seconds)) * SECONDS_PER_MONTH * (million / 1e6)
  }
  return dollars
}

import { AdvisorError } from '../errors/advisor-error.js'
import type { PriceList, RegionPrices } from './price-list.js'

/** AWS counts a month as 730 hours. */
export const HOURS_PER_MONTH = 730
const SECONDS_PER_HOUR = 3_600
/** The target utilisation of auto scaling, as the console proposes it. */
const TARGET_UTILISATION = 0.7

/** What a table consumes, in units per second. */
export interface Consumption {
  readonly meanWriteUnits: number
  readonly meanReadUnits: number
  readonly peakWriteUnits: number
  readonly peakReadUnits: number
  readonly storedGb?: number
}

/** US dollars a month, by capacity mode. */
export interface MonthlyPrices {
  readonly onDemand: number
  /** The peak is provisioned all the time. */
  readonly provisionedForPeak: number
  /** Auto scaling follows the mean, at 70 % utilisation. */
  readonly provisionedAutoScaled: number
  /** Of stored data, part of each of them. */
  readonly storage: number
  readonly region: string
  readonly date: string
}

/**
 * The monthly price of a table in each capacity mode.
 *
 * @throws AdvisorError `prices.no-region`
 * @example
 * const used = { meanWriteUnits: 100, meanReadUnits: 100, peakWriteUnits: 1_000, peakReadUnits: 1_000 }
 * monthlyPrices(AWS_PRICES, 'us-east-1', used).onDemand // 197.1
 */
export function monthlyPrices(prices: PriceList, region: string, used: Consumption): MonthlyPrices {
  const own = regionOf(prices, region)
  const storage = (used.storedGb ?? 0) * own.storageGbMonth
  const requests =
    (used.meanWriteUnits * own.millionWrites + used.meanReadUnits * own.millionReads) *
    ((HOURS_PER_MONTH * SECONDS_PER_HOUR) / 1e6)
  const scaled = hours(own, used.meanWriteUnits / TARGET_UTILISATION, used.meanReadUnits / TARGET_UTILISATION)
  return {
    onDemand: cents(requests + storage),
    provisionedForPeak: cents(hours(own, used.peakWriteUnits, used.peakReadUnits) + storage),
    provisionedAutoScaled: cents(scaled + storage),
    storage: cents(storage),
    region,
    date: prices.date,
  }
}

/** @throws AdvisorError `prices.no-region` */
export function regionOf(prices: PriceList, region: string): RegionPrices {
  const own = prices.regions[region]
  if (own !== undefined && Object.hasOwn(prices.regions, region)) return own
  throw new AdvisorError(
    'prices.no-region',
    `The prices of ${prices.date} have no region ${region}; they have ${Object.keys(prices.regions).join(', ')}. Give a file with its prices.`,
  )
}

function hours(own: RegionPrices, writeUnits: number, readUnits: number): number {
  return (
    (Math.ceil(writeUnits) * own.writeUnitHour + Math.ceil(readUnits) * own.readUnitHour) * HOURS_PER_MONTH
  )
}

function cents(dollars: number): number {
  return Math.round(dollars * 100) / 100
}

import { AdvisorError } from '../errors/advisor-error.js'

/** Prices of one region, in US dollars. */
export interface RegionPrices {
  /** For a million write request units, on demand. */
  readonly millionWrites: number
  /** For a million read request units, on demand. */
  readonly millionReads: number
  /** For a write capacity unit and hour, provisioned. */
  readonly writeUnitHour: number
  /** For a read capacity unit and hour, provisioned. */
  readonly readUnitHour: number
  /** For a GB of stored data and month. */
  readonly storageGbMonth: number
}

/** Prices, where they come from, and of which day they are. */
export interface PriceList {
  /** The day on which the prices were looked up, as `2026-11-23`. */
  readonly date: string
  readonly source: string
  readonly tableClass: string
  readonly regions: { readonly [region: string]: RegionPrices }
}

const MEMBERS = ['millionWrites', 'millionReads', 'writeUnitHour', 'readUnitHour', 'storageGbMonth'] as const

/**
 * Prices from a file, for another region or a contract.
 *
 * @throws AdvisorError `prices.malformed`, which names the member
 * @example
 * const region = { millionWrites: 0.7, millionReads: 0.14, writeUnitHour: 7e-4, readUnitHour: 1.4e-4, storageGbMonth: 0.28 }
 * parsePriceList(JSON.stringify({ date: '2026-11-23', source: 'our contract', regions: { 'eu-west-1': region } }))
 */
export function parsePriceList(text: string): PriceList {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw malformed('they are not JSON', { cause })
  }
  const { date, source, tableClass = 'Standard', regions } = objectOf(value, 'the prices')
  if (typeof date !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(date))
    throw malformed('date must be a day such as 2026-11-23')
  if (typeof source !== 'string') throw malformed('source must be a text that says where they come from')
  const given = Object.entries(objectOf(regions, 'regions'))
  if (given.length === 0) throw malformed('regions must have at least one region')
  return {
    date,
    source,
    tableClass: String(tableClass),
    regions: Object.fromEntries(
      given.map(([name, prices]) => [name, regionPrices(name, objectOf(prices, name))]),
    ),
  }
}

function regionPrices(region: string, prices: { readonly [member: string]: unknown }): RegionPrices {
  const numbers = MEMBERS.map((member) => {
    const price = prices[member]
    if (typeof price === 'number' && price >= 0 && Number.isFinite(price)) return [member, price] as const
    throw malformed(`${member} of ${region} must be a number of US dollars`)
  })
  return Object.fromEntries(numbers) as { [member in (typeof MEMBERS)[number]]: number }
}

function objectOf(value: unknown, name: string): { readonly [member: string]: unknown } {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw malformed(`${name} must be an object`)
}

function malformed(rule: string, options?: ErrorOptions): AdvisorError {
  return new AdvisorError('prices.malformed', `The prices are malformed: ${rule}.`, options)
}

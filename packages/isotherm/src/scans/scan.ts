import { ScanCommand, type ScanCommandInput, type ScanCommandOutput } from '@aws-sdk/client-dynamodb'
import type { Item } from '@isotherm/semantics'
import { senseThrottles } from '../attempts/sense-throttles.js'
import { refuseLegacy, refuseParameter } from '../errors/refuse.js'
import { presentedStoredItem } from '../keys/presented-item.js'
import { type CountedTable, checkStored } from '../protocol/index.js'
import type { ReadTable } from '../scaling/read-heat.js'
import { withKeys } from '../sdk/key-projection.js'
import type { TakenCommand } from '../sdk/taken-command.js'
import { keyFilter } from './key-filter.js'

const LEGACY = { ScanFilter: 'Filter', ConditionalOperator: 'Filter' }

/**
 * Scans the table, or a segment of it, in its stored form, and returns the items with their logical keys.
 *
 * The cursor is the service's own, with the physical key at the end of the page, because a scan reads partitions and
 * not logical keys.
 */
export async function scan({
  table,
  request,
  options,
}: TakenCommand<CountedTable & ReadTable>): Promise<ScanCommandOutput> {
  const input = request.input as unknown as ScanCommandInput
  refuseLegacy(table.options.name, 'Scan', input, LEGACY)
  const passes = keyFilter(table, input)
  const { partitionKey } = table.options
  const isRechecked = passes !== undefined
  if (isRechecked && input.Select === 'COUNT') {
    const cure = 'Items are compared again under their logical keys; leave Select out and count them.'
    throw refuseParameter(
      table.options.name,
      'Scan',
      `Select COUNT with begins_with(${partitionKey}, ...)`,
      cure,
    )
  }
  const { request: projection, hides } = isRechecked
    ? withKeys(input, [partitionKey])
    : { request: {}, hides: [] }
  const command = new ScanCommand({ ...input, ...projection })
  request.carryMiddleware(command)
  let attempt = 0
  senseThrottles(command, (reasons) => {
    attempt += 1
    void table.readHeat.scanThrottled({ attempt, reasons, index: input.IndexName })
  })
  const output = await table.client.send(command, options)
  if (output.Items === undefined) return output
  await checkStored(table, output.Items)
  const shown = output.Items.map((item) => presentedStoredItem(table, item))
  const items = isRechecked ? shown.filter((item) => passes(item as unknown as Item)) : shown
  for (const item of items) for (const attribute of hides) delete item[attribute]
  return { ...output, Items: items, ...(isRechecked ? { Count: items.length } : {}) }
}

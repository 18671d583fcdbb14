import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { type Estimate, type Item, ItemSample, sampledShare } from '@isotherm/advisor'
import type { HotReport, InsightTarget } from '@isotherm/console/remote'
import { CommandError } from '../command-error.js'
import { liveTable } from '../live-table.js'
import { type SampledScanOptions, sampledScan } from '../sampled-scan.js'

/** The keys with the most items of a sample: where the data is, not where the traffic is. */
export async function sampleReport(
  client: DynamoDBClient,
  {
    table,
    index,
    items,
    top,
    signal,
    err,
  }: InsightTarget & Pick<SampledScanOptions, 'items' | 'signal' | 'err'> & { readonly top: number },
): Promise<HotReport> {
  const definition = await liveTable(client, table, signal)
  const keyed = index === undefined ? definition : definition.indexes.find(({ name }) => name === index)
  const [attribute] = keyed?.key.partition ?? []
  if (attribute === undefined) {
    const names = definition.indexes.map(({ name }) => name).join(', ')
    throw new CommandError(`${table} has no index '${index}'; it has ${names === '' ? 'none' : names}.`)
  }
  const scanned = await sampledScan(client, { table, items, signal, err })
  // The SDK has the same shape, and a member for types that it does not know yet.
  const sample = new ItemSample(definition, scanned.items as readonly Item[])
  const counted = sample.itemsWith(attribute.name)
  const values = sample.mostFrequent(attribute.name, top + 1)
  const shareOf = (found: number): Estimate => {
    const value = counted === 0 ? 0 : found / counted
    if (scanned.isWhole) return { value, atLeast: value, atMost: value }
    // All items of a partition key are in one place of the table, which a sample hits or misses.
    const isOfTable = attribute.name === definition.key.partition[0]?.name
    return isOfTable ? { value, atLeast: 0, atMost: 1 } : sampledShare(found, counted)
  }
  return {
    table,
    ...(index === undefined ? {} : { index }),
    source: 'sample',
    attributes: [attribute.name],
    distinctKeys: sample.distinct(attribute.name),
    keys: values.slice(0, top).map(({ value, items: found }) => ({
      key: keyText(value as KeyValue),
      share: shareOf(found),
    })),
    unlistedAtMost: shareOf(values[top]?.items ?? 0).atMost,
    sampledItems: counted,
    readUnits: scanned.readUnits,
  }
}

interface KeyValue {
  readonly S?: string
  readonly N?: string
  readonly B?: Uint8Array
}

/** Bytes are in base64, as wherever a key is shown. */
function keyText({ S, N, B }: KeyValue): string {
  return S ?? N ?? Buffer.from(B ?? []).toString('base64')
}

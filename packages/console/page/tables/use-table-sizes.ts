import { useEffect, useState } from 'preact/hooks'
import type { TableDescription } from '../../src/definitions/table-definition'
import { callIn } from '../dynamodb/call'
import { connections } from '../state/data'
import { messageOf } from '../state/message-of'
import type { TablePlace } from './table-changes'

/** What a description says of the size of a table. */
export interface TableSizes {
  readonly items: number
  readonly bytes: number
  readonly billing: string
  readonly failure?: string
}

/** DescribeTable requests at the same time. */
const CONCURRENT = 8

/**
 * The sizes of tables, by region and name.
 * @param turn another number asks again
 */
export function useTableSizes(places: readonly TablePlace[], turn: number): ReadonlyMap<string, TableSizes> {
  const [sizes, setSizes] = useState<ReadonlyMap<string, TableSizes>>(new Map())
  const ids = places.map(({ region, name }) => `${region}/${name}`).join()
  useEffect(() => {
    let isCurrent = true
    const read = async () => {
      for (let at = 0; at < places.length && isCurrent; at += CONCURRENT) {
        const some = await Promise.all(
          places
            .slice(at, at + CONCURRENT)
            .map(async (place) => [`${place.region}/${place.name}`, await sizesOf(place)] as const),
        )
        if (isCurrent) setSizes((known) => new Map([...known, ...some]))
      }
    }
    read()
    return () => {
      isCurrent = false
    }
  }, [ids, turn, connections.value])
  return sizes
}

async function sizesOf({ region, name }: TablePlace): Promise<TableSizes> {
  try {
    const { Table } = await callIn<{ Table: TableDescription }>(region, 'DescribeTable', { TableName: name })
    const { ItemCount = 0, TableSizeBytes = 0, BillingModeSummary } = Table
    const isOnDemand = BillingModeSummary?.BillingMode === 'PAY_PER_REQUEST'
    return { items: ItemCount, bytes: TableSizeBytes, billing: isOnDemand ? 'on-demand' : 'provisioned' }
  } catch (error) {
    return { items: 0, bytes: 0, billing: '', failure: messageOf(error) }
  }
}

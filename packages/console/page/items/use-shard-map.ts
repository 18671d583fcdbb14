import { useEffect, useState } from 'preact/hooks'
import { type ItemShardMap, itemShardMap } from '../../src/items/logical-key'
import { call } from '../dynamodb/call'
import { connections, tables } from '../state/data'
import { view } from '../state/view'

/** The shard map of the table that is looked at, or `none` if its items have no physical keys; `undefined` until it is read. */
export function useShardMap(partitionKey: string): ItemShardMap | 'none' | undefined {
  const { table, region } = view.value
  const [found, setFound] = useState<ItemShardMap | 'none' | undefined>()
  const entry = tables.value?.tables.find((each) => each.name === table && each.region === region)
  // A proxy takes suffixes off, so its items have logical keys.
  const name = tables.value?.offers?.joinedTables?.includes(table) ? undefined : entry?.shardMap
  useEffect(() => {
    setFound(undefined)
    if (name === undefined || partitionKey === '') return undefined
    let isCurrent = true
    itemShardMap(call, name, partitionKey).then(
      (map) => isCurrent && setFound(map),
      // Without permission to read it, keys are shown as they are stored.
      () => isCurrent && setFound('none'),
    )
    return () => {
      isCurrent = false
    }
  }, [region, table, name, partitionKey, connections.value])
  if (tables.value === undefined) return undefined
  return name === undefined ? 'none' : found
}

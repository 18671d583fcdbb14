import type { QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { keyText, type LogicalKey, type SuffixableKey } from '../keys/key.js'
import type { TakenCommand } from '../sdk/taken-command.js'
import { isGivenKey } from './given-start-keys.js'
import type { QueriedTable } from './queried-table.js'
import { readStored } from './read-stored.js'

/**
 * Finds out whether a start key of an adopted table with a random suffix has the logical key, which is the stored key of
 * the first shard, too. If the first shard has no such item, its item is in another shard, and the page must not return
 * it again.
 *
 * @returns `undefined` if the start key itself says it
 */
export function hasLogicalStart(
  command: TakenCommand<QueriedTable>,
  { ExclusiveStartKey: start, IndexName }: QueryCommandInput,
): Promise<boolean> | undefined {
  const { table } = command
  const { partitionKey, sortKey } = table.options
  const key = start?.[partitionKey]
  if (start === undefined || IndexName !== undefined || sortKey === undefined) return undefined
  if (table.placementKind !== 'random' || start[sortKey] === undefined) return undefined
  if (key === undefined || (key.S === undefined && key.B === undefined)) return undefined
  const stored = table.suffix.strip(key as SuffixableKey)
  const isBare = stored !== undefined && keyText(stored.logical) === keyText(key as LogicalKey)
  if (!isBare || isGivenKey(table, start)) return undefined
  return isMissing(command, { ...stored, start })
}

async function isMissing(
  command: TakenCommand<QueriedTable>,
  {
    logical,
    shard,
    start,
  }: {
    readonly logical: LogicalKey
    readonly shard: number
    readonly start: NonNullable<QueryCommandInput['ExclusiveStartKey']>
  },
): Promise<boolean> {
  const { table } = command
  const { readable } = await table.views.forRead(logical, { consistent: false })
  if (readable === 1) return false
  const item = await readStored(command, { logical, shard }, start, [table.options.partitionKey])
  return item === undefined
}

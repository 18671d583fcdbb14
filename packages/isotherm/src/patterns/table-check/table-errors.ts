import { IsothermError } from '../../errors/isotherm-error.js'
import type { ExpectedIndex, ExpectedTable } from './expected-table.js'

export function tableMissing({ pattern, table }: ExpectedTable): IsothermError<'table.missing'> {
  return new IsothermError(
    'table.missing',
    `The table ${table} does not exist in this region and account. Create it, or correct ${pattern}.table. Nothing was written.`,
    { table },
  )
}

/** @param found the attribute, with its type if that is what differs */
export function keyDiffers(
  { pattern, table }: ExpectedTable,
  setting: 'partitionKey' | 'sortKey',
  found: string | undefined,
  given: string | undefined,
): IsothermError<'table.differs'> {
  const key = setting === 'partitionKey' ? 'partition key' : 'sort key'
  return new IsothermError(
    'table.differs',
    `The ${key} of ${table} is ${found ?? 'not set'}, and ${pattern} has ${given ?? 'none'}. ${cureOf(pattern, setting, found)} Nothing was written.`,
    { table, setting, found, given },
  )
}

function cureOf(
  pattern: ExpectedTable['pattern'],
  setting: 'partitionKey' | 'sortKey',
  found: string | undefined,
): string {
  if (found?.endsWith(')')) return 'Use a table whose key is text.'
  if (pattern === 'directory') {
    const name = setting === 'partitionKey' ? 'id' : 'dataType'
    if (found === undefined) return 'Create the table as in directoryTable(definition).'
    return `Set directory.names.${name}: '${found}', or create the table as in directoryTable(definition).`
  }
  return found === undefined ? `Leave ${pattern}.${setting} out.` : `Set ${pattern}.${setting}: '${found}'.`
}

export function indexMissing(
  { pattern, table }: ExpectedTable,
  { name, definedBy }: ExpectedIndex,
): IsothermError<'table.no-index'> {
  return new IsothermError(
    'table.no-index',
    `The table ${table} has no global secondary index ${name}. Add it as in ${definedBy}, or correct ${pattern}.index. Nothing was written.`,
    { table, index: name, found: undefined },
  )
}

/** @param found the key of the index, such as `status (S), at (S)` */
export function indexDiffers(
  { pattern, table }: ExpectedTable,
  { name, partitionKey, sortKey, sortType, shardedAs, settings, definedBy }: ExpectedIndex,
  found: string,
): IsothermError<'table.no-index'> {
  const partition = shardedAs === 'any' ? 'any text' : partitionKey
  const sharded =
    shardedAs === 'nothing'
      ? ' If the library shards the index, use the client that isotherm() returned.'
      : ''
  return new IsothermError(
    'table.no-index',
    `The index ${name} of ${table} has the key ${found}, and ${pattern} needs ${partition} (S), ${sortKey} (${sortType}). Create the index as in ${definedBy}, or correct ${settings}.${sharded} Nothing was written.`,
    { table, index: name, found },
  )
}

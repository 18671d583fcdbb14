import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import { send } from '../../send.js'
import { untilTaken } from '../../until-taken.js'
import type { DirectoryTarget } from '../model/directory-target.js'

/** Entries of the index under one key. */
export interface IndexPage {
  /** Sort keys, in the order of the request. */
  readonly values: readonly string[]
  readonly isLast: boolean
}

/** What is read of a key: what is before a text, newest first; or what begins with a text. */
export type IndexRange = { readonly before: string } | { readonly prefix: string }

/** Reads one page of the index. It is eventually consistent, as reads of global indexes are. */
export async function indexPage(
  { db, definition, patience }: DirectoryTarget,
  type: string,
  range: IndexRange,
  limit: number,
): Promise<IndexPage> {
  const { table, index, names } = definition
  const isPrefix = 'prefix' in range
  const input = {
    TableName: table,
    IndexName: index,
    KeyConditionExpression: isPrefix
      ? '#type = :type AND begins_with(#value, :text)'
      : '#type = :type AND #value < :text',
    ExpressionAttributeNames: { '#type': names.searchType, '#value': names.searchValue },
    ExpressionAttributeValues: {
      ':type': { S: type },
      ':text': { S: isPrefix ? range.prefix : range.before },
    },
    ScanIndexForward: isPrefix,
    Limit: limit,
  }
  const { Items = [], LastEvaluatedKey } = await untilTaken(patience, () =>
    send<QueryCommandOutput>(db, new QueryCommand(input), patience.signal),
  )
  return {
    values: Items.map((item) => item[names.searchValue]?.S ?? ''),
    isLast: LastEvaluatedKey === undefined,
  }
}

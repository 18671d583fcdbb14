import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'
import type { DirectoryDefinition } from './model/define-directory.js'
import type { FieldMap, LinkMap } from './model/directory-item.js'

/** Options of a directory's table. */
export interface DirectoryTableOptions {
  /**
   * The partition key of the index, if the library shards it: the attribute that the library adds, `isotherm_` and the name of the index unless the
   * options name another. The default is the attribute of the definition.
   */
  readonly indexPartitionKey?: string | undefined
}

/**
 * The input of a CreateTable request for a directory: an on-demand table and its index, which has keys alone. With the mode `stream`, the table has a
 * stream with old and new images.
 *
 * @example await client.send(new CreateTableCommand(directoryTable(definition)))
 */
export function directoryTable<Fields extends FieldMap, Links extends LinkMap>(
  { table, index, names, mode }: DirectoryDefinition<Fields, Links>,
  { indexPartitionKey = names.searchType }: DirectoryTableOptions = {},
): CreateTableCommandInput & { readonly TableName: string } {
  const text = [names.id, names.dataType, indexPartitionKey, names.searchValue]
  return {
    TableName: table,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [
      { AttributeName: names.id, KeyType: 'HASH' },
      { AttributeName: names.dataType, KeyType: 'RANGE' },
    ],
    AttributeDefinitions: text.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
    GlobalSecondaryIndexes: [
      {
        IndexName: index,
        KeySchema: [
          { AttributeName: indexPartitionKey, KeyType: 'HASH' },
          { AttributeName: names.searchValue, KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
    ...(mode === 'stream'
      ? { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' as const } }
      : {}),
  }
}

import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'
import type { DirectoryDefinition } from './model/define-directory.js'
import type { FieldMap, LinkMap } from './model/directory-item.js'

/**
 * The input of a CreateTable request for a directory: an on-demand table and its index, which has keys alone. With the mode `stream`, the table has a
 * stream with old and new images.
 *
 * @example await client.send(new CreateTableCommand(directoryTable(definition)))
 */
export function directoryTable<Fields extends FieldMap, Links extends LinkMap>({
  table,
  index,
  names,
  mode,
}: DirectoryDefinition<Fields, Links>): CreateTableCommandInput & { readonly TableName: string } {
  const text = [names.id, names.dataType, names.searchType, names.searchValue]
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
          { AttributeName: names.searchType, KeyType: 'HASH' },
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

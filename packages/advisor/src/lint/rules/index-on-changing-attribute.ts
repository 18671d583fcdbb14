import { keyNames } from '../../table/all-keys.js'
import { namesChangingCount, namesChangingTime } from '../rule/attribute-names.js'
import { GLOBAL_INDEXES, UNITS } from '../rule/one-partition.js'
import type { Found, Rule } from '../rule/rule.js'

export const indexOnChangingAttribute: Rule = {
  id: 'index-on-changing-attribute',
  level: 'warning',
  title: 'An index is sorted by an attribute that every update changes',
  why: [
    'When a key of an index changes, DynamoDB deletes the old entry and puts the new one. Both cost write units of the index.',
    'With a time of the last change as key, every update pays that: an update of a 1 KB item costs 3 units instead of 1. And all of them go to the end of the index.',
  ],
  sources: [GLOBAL_INDEXES, UNITS],
  example: {
    table: {
      TableName: 'documents',
      AttributeDefinitions: [
        { AttributeName: 'id', AttributeType: 'S' },
        { AttributeName: 'owner', AttributeType: 'S' },
        { AttributeName: 'updatedAt', AttributeType: 'S' },
      ],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by_owner',
          KeySchema: [
            { AttributeName: 'owner', KeyType: 'HASH' },
            { AttributeName: 'updatedAt', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    },
  },
  check({ table }) {
    const ofTable = keyNames({ ...table, indexes: [] })
    return table.indexes.flatMap((index): readonly Found[] => {
      const attributes = [...index.key.partition, ...index.key.sort].map(({ name }) => name)
      const changing = attributes.find(
        (name) => (namesChangingTime(name) || namesChangingCount(name)) && !ofTable.has(name),
      )
      if (changing === undefined) return []
      return [
        {
          subject: `index ${index.name}`,
          evidence: `${changing} is part of its key, and its name suggests that updates change it.`,
          consequence:
            'Each update of an item of up to 1 KB costs 3 write units instead of 1: one for the item, two for the index.',
          cure: {
            text: namesChangingTime(changing)
              ? `Sort the index by an attribute that stays, such as the time of creation. If readers need the order of changes, round ${changing} to the hour, so that few updates change it.`
              : `Keep ${changing} out of the keys, and sort what a query returns. If readers need the order, copy ${changing} to an attribute of the index from time to time, or round it to steps that few updates cross.`,
          },
        },
      ]
    })
  },
}

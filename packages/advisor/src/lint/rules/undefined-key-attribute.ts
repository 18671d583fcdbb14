import type { Found, Rule } from '../rule/rule.js'

export const undefinedKeyAttribute: Rule = {
  id: 'undefined-key-attribute',
  level: 'error',
  title: 'A key attribute is not declared',
  why: [
    'Every attribute of a key, of the table and of each index, must be declared with its type. Otherwise CreateTable is refused with a ValidationException, and a deployment rolls back.',
  ],
  sources: ['https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html'],
  example: {
    table: {
      TableName: 'orders',
      AttributeDefinitions: [{ AttributeName: 'order_id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'order_id', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by_customer',
          KeySchema: [{ AttributeName: 'customer', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    },
  },
  check({ table }) {
    if (table.hasComputedKeys) return []
    const declared = new Set(table.declared.map(({ name }) => name))
    const owners = [
      { owner: 'the table', key: table.key },
      ...table.indexes.map(({ name, key }) => ({ owner: `index ${name}`, key })),
    ]
    const inKeys = owners.flatMap(({ owner, key }): readonly Found[] => {
      if (key.partition.length === 0) {
        return [
          {
            subject: owner,
            evidence: `The key of ${owner} has no HASH attribute.`,
            consequence: 'CreateTable is refused.',
            cure: { text: 'Add a HASH attribute to its KeySchema.' },
          },
        ]
      }
      const missing = [...key.partition, ...key.sort].filter(({ name }) => !declared.has(name))
      return missing.map(({ name }) => ({
        subject: owner,
        evidence: `${name} is in the key of ${owner}, but not in AttributeDefinitions.`,
        consequence: 'CreateTable is refused, and a deployment rolls back.',
        cure: { text: `Declare ${name} with its type, S, N or B.` },
      }))
    })
    const inSearches = table.vectorIndexes.flatMap(({ name: index, searched }) =>
      searched
        .filter(({ name }) => !declared.has(name))
        .map(
          ({ name }): Found => ({
            subject: `vector index ${index}`,
            evidence: `${name} is in the SearchSchema of ${index}, but not in AttributeDefinitions.`,
            consequence: 'CreateTable is refused, and a deployment rolls back.',
            cure: { text: `Declare ${name} with its type, S, N or B.` },
          }),
        ),
    )
    return [...inKeys, ...inSearches]
  },
}

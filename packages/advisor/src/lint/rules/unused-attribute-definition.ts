import { keyNames } from '../../table/all-keys.js'
import type { Rule } from '../rule/rule.js'

export const unusedAttributeDefinition: Rule = {
  id: 'unused-attribute-definition',
  level: 'error',
  title: 'An attribute is declared, but in no key',
  why: [
    'DynamoDB knows no columns: only attributes of keys are declared. CreateTable refuses others, because they are most often a misspelt key. Terraform plans them, and fails when it applies.',
  ],
  sources: ['https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html'],
  example: {
    table: {
      TableName: 'orders',
      AttributeDefinitions: [
        { AttributeName: 'order_id', AttributeType: 'S' },
        { AttributeName: 'total', AttributeType: 'N' },
      ],
      KeySchema: [{ AttributeName: 'order_id', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    },
  },
  check({ table }) {
    if (table.hasComputedKeys) return []
    const searched = table.vectorIndexes.flatMap((index) => index.searched.map(({ name }) => name))
    const used = new Set([...keyNames(table), ...searched])
    const unused = table.declared.filter(({ name }) => !used.has(name))
    return unused.map(({ name }) => ({
      subject: `attribute ${name}`,
      evidence: `${name} is in AttributeDefinitions, and in the key of neither the table nor an index.`,
      consequence:
        'CreateTable is refused: the number of attributes in AttributeDefinitions does not match the keys.',
      cure: {
        text: `Remove ${name} from AttributeDefinitions. Items may have the attribute without a declaration.`,
      },
    }))
  },
}

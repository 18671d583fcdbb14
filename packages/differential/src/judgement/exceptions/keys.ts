import type { Exception } from '../exception.js'
import { all, equalErrorsBut, texts } from '../predicates.js'

const COUNT = /^The number of conditions on the keys is invalid$/

/** Differences about keys as parameters. */
export const KEYS: readonly Exception[] = [
  {
    name: 'key-of-wrong-size-text',
    reason: 'DynamoDB Local has another text for a key of too few or too many attributes.',
    source:
      'https://github.com/paritysuite/dynamodb-conformance (tests/tier3/error-messages): `The provided key element does not match the schema`.',
    applies: texts(
      /The provided key element does not match the schema|specific reasons \[.*ValidationError/,
      COUNT,
    ),
  },
  {
    name: 'start-key-of-other-partition-text',
    reason:
      'DynamoDB Local has one text for a start key of another partition and for one of another sort key. The service has two.',
    source:
      'The two texts of the service as public test-suites recorded them, such as https://github.com/architect/dynalite (test/query.js).',
    applies: texts(
      /^The provided starting key is outside query boundaries based on provided conditions$/,
      /^The provided starting key does not match the range key predicate$/,
    ),
  },
  {
    name: 'key-update-after-condition',
    reason:
      'DynamoDB Local asks the condition before it sees that the update changes the key. The service refuses such an update whatever the condition says.',
    source:
      'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateItem.html (UpdateExpression): key attributes cannot be updated. The order is a judgement.',
    applies: texts(
      /Cannot update attribute .* This attribute is part of the key$/,
      /^The conditional request failed$/,
    ),
  },
  {
    name: 'key-of-two-indexes',
    reason: 'Of two indexes that share a key attribute DynamoDB Local names another.',
    source: 'A judgement: this engine names global indexes first, as the request that made the table does.',
    applies: all(
      texts(/IndexName: /, /IndexName: /),
      equalErrorsBut(({ message }) => message.replace(/IndexName: [\w-]+/, 'IndexName: ')),
    ),
  },
]

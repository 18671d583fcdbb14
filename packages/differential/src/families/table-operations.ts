import fc, { type Arbitrary } from 'fast-check'
import { malformed } from '../generators/malformed.js'
import { present, sometimes, weighted } from '../generators/weighted.js'
import type { Family, Step } from './family.js'

const MALFORMED_PERCENT = 12

/** Tables of this family only: those of the others must not change. */
const name = weighted(
  [30, fc.constantFrom('scratch-one', 'scratch-two', 'scratch.3')],
  [1, fc.constantFrom('', 'ab', 'a b', 'x'.repeat(255), 'x'.repeat(256), 'ä'.repeat(4))],
)

const attribute = fc.constantFrom('pk', 'sk', 'one', 'two')
const projection = weighted<object | undefined>(
  [3, fc.constantFrom({ ProjectionType: 'ALL' }, { ProjectionType: 'KEYS_ONLY' })],
  [
    2,
    fc.constantFrom(
      { ProjectionType: 'INCLUDE', NonKeyAttributes: ['a'] },
      { ProjectionType: 'INCLUDE', NonKeyAttributes: ['a', 'b'] },
    ),
  ],
  [
    1,
    fc.constantFrom(
      {},
      { ProjectionType: 'INCLUDE' },
      { ProjectionType: 'INCLUDE', NonKeyAttributes: [] },
      { ProjectionType: 'ALL', NonKeyAttributes: ['a'] },
      { ProjectionType: 'INCLUDE', NonKeyAttributes: ['a', 'a'] },
      { ProjectionType: 'INCLUDE', NonKeyAttributes: ['pk'] },
      { ProjectionType: 'x' },
      undefined,
    ),
  ],
)

const throughput = weighted<object | undefined>(
  [
    6,
    fc.record({
      ReadCapacityUnits: fc.integer({ min: 1, max: 9 }),
      WriteCapacityUnits: fc.integer({ min: 1, max: 9 }),
    }),
  ],
  [
    1,
    fc.constantFrom({ ReadCapacityUnits: 0, WriteCapacityUnits: 1 }, { ReadCapacityUnits: 1 }, {}, undefined),
  ],
)

function keySchema(hash: Arbitrary<string>, range: number): Arbitrary<object[]> {
  const element = (AttributeName: string, KeyType: string) => ({ AttributeName, KeyType })
  return weighted<object[]>(
    [
      20,
      fc
        .tuple(hash, sometimes(range, attribute))
        .map(([first, second]) =>
          second === undefined
            ? [element(first, 'HASH')]
            : [element(first, 'HASH'), element(second, 'RANGE')],
        ),
    ],
    [
      1,
      fc.constantFrom<object[]>(
        [],
        [element('pk', 'RANGE')],
        [element('pk', 'HASH'), element('sk', 'HASH')],
        [element('pk', 'RANGE'), element('sk', 'HASH')],
        [element('pk', 'HASH'), element('sk', 'RANGE'), element('one', 'RANGE')],
      ),
    ],
  )
}

const indexName = weighted(
  [8, fc.constantFrom('index-one', 'index-two')],
  [1, fc.constantFrom('', 'ab', 'a b')],
)

const globalIndex = fc
  .record({
    IndexName: indexName,
    KeySchema: keySchema(attribute, 50),
    Projection: projection,
    ProvisionedThroughput: sometimes(50, throughput),
  })
  .map(present)

const localIndex = fc
  .record({
    IndexName: indexName,
    KeySchema: keySchema(weighted([9, fc.constant('pk')], [1, attribute]), 90),
    Projection: projection,
  })
  .map(present)

/** The attributes that the key schemas need; rarely more, fewer, or with a type that no key can have. */
function definitions(needed: readonly string[]): Arbitrary<object[]> {
  const definition = (AttributeName: string, AttributeType = 'S') => ({ AttributeName, AttributeType })
  const whole = fc
    .tuple(...needed.map((each) => fc.constantFrom('S', 'N', 'B').map((type) => definition(each, type))))
    .map((all): object[] => [...all])
  return weighted<object[]>(
    [20, whole],
    [1, whole.map((all) => [...all, definition('unused')])],
    [1, whole.map((all) => all.slice(1))],
    [1, whole.map((all) => [...all, ...all.slice(0, 1)])],
    [1, whole.map((all) => [...all.slice(1), definition('pk', 'L')])],
  )
}

const createTable = fc
  .record({
    KeySchema: keySchema(weighted([9, fc.constant('pk')], [1, attribute]), 60),
    GlobalSecondaryIndexes: sometimes(40, fc.array(globalIndex, { maxLength: 2 })),
    LocalSecondaryIndexes: sometimes(25, fc.array(localIndex, { maxLength: 2 })),
  })
  .chain((schemas) => {
    const all = [schemas, ...(schemas.GlobalSecondaryIndexes ?? []), ...(schemas.LocalSecondaryIndexes ?? [])]
    const needed = new Set(
      all.flatMap(({ KeySchema }) => KeySchema.map((element) => String(Object.values(element)[0]))),
    )
    return fc
      .record({
        TableName: name,
        AttributeDefinitions: definitions([...needed]),
        BillingMode: sometimes(60, fc.constantFrom('PAY_PER_REQUEST', 'PAY_PER_REQUEST', 'PROVISIONED')),
        ProvisionedThroughput: sometimes(40, throughput),
      })
      .map((rest) => present({ ...rest, ...schemas }))
  })

const updateTable = fc
  .record({
    TableName: name,
    BillingMode: sometimes(40, fc.constantFrom('PAY_PER_REQUEST', 'PROVISIONED')),
    ProvisionedThroughput: sometimes(60, throughput),
    GlobalSecondaryIndexUpdates: sometimes(
      10,
      fc.array(
        fc.constantFrom<object>(
          { Delete: { IndexName: 'no-such-index' } },
          {
            Update: {
              IndexName: 'no-such-index',
              ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
            },
          },
          { Create: { IndexName: 'index-new' } },
          {},
        ),
        { maxLength: 2 },
      ),
    ),
  })
  .map(present)

const step = (operation: string, request: Arbitrary<object>): Arbitrary<Step> =>
  malformed(request, MALFORMED_PERCENT).map((each) => ({ operation, request: each }))

/** Creating, describing, changing and deleting tables. */
export const TABLE_OPERATIONS: Family = {
  name: 'tables',
  operations: ['CreateTable', 'DescribeTable', 'ListTables', 'UpdateTable', 'DeleteTable'],
  weight: 60,
  steps: weighted<Step>(
    [10, step('CreateTable', createTable)],
    [4, step('DescribeTable', fc.record({ TableName: name }))],
    [
      2,
      step(
        'ListTables',
        fc
          .record({
            ExclusiveStartTableName: sometimes(40, name),
            Limit: sometimes(50, fc.constantFrom(1, 2, 5, 100, 0, 101)),
          })
          .map(present),
      ),
    ],
    [4, step('UpdateTable', updateTable)],
    [5, step('DeleteTable', fc.record({ TableName: name }))],
  ),
}

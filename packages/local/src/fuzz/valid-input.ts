import { type Random, randomInteger } from '@isotherm/runtime'
import type { Shape, StructureShape } from '../validation/shape.js'
import type { AnsweredIds } from './answered-ids.js'
import { happens, oneOf } from './draw.js'
import { BUCKET } from './make-buckets.js'

/** The table that most requests use. */
export const THINGS = {
  TableName: 'things',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: ['pk', 'sk', 'group'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'by_group',
      KeySchema: [{ AttributeName: 'group', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
}

/** Generators for members whose name shows their meaning. All others are generated from their shape. */
const BY_NAME: Readonly<Record<string, (random: Random, shape: Shape) => unknown>> = {
  TableArn: tableArn,
  ResourceArn: tableArn,
  TargetTableName: (random) => oneOf(random, ['others', 'nowhere', 'restored']),
  BackupName: (random) => oneOf(random, ['weekly', 'daily']),
  S3Bucket: (random) => oneOf(random, [BUCKET, BUCKET, BUCKET, 'no-bucket']),
  S3BucketOwner: () => '000000000000',
  S3Prefix: (random) => oneOf(random, ['exports', 'exports/today', 'a/../b']),
  S3KeyPrefix: (random) => oneOf(random, ['items.json', 'items', 'broken', 'exports/', '']),
  ClientToken: (random) => oneOf(random, ['token-1', 'token-2', 'token-3']),
  // Most other choices are refused whatever the rest of the request says.
  ExportFormat: () => 'DYNAMODB_JSON',
  ExportType: () => 'FULL_EXPORT',
  ExportTime: (random) => oneOf<unknown>(random, [0, 1e12, 'yesterday']),
  InputFormat: (random) => oneOf(random, ['DYNAMODB_JSON', 'DYNAMODB_JSON', 'CSV', 'ION']),
  InputCompressionType: (random) => oneOf(random, ['NONE', 'NONE', 'GZIP', 'ZSTD']),
  Policy: (random) =>
    oneOf(random, ['{"Version":"2012-10-17","Statement":[]}', '{"Statement":[{}]}', '{}', 'no JSON']),
  TableName: (random) =>
    oneOf(random, ['things', 'things', 'things', 'things', 'things', 'others', 'nowhere']),
  IndexName: () => 'by_group',
  AttributeName: (random) => oneOf(random, ['pk', 'sk', 'group', 'n']),
  AttributeType: (random) => oneOf(random, ['S', 'S', 'N', 'B']),
  KeySchema: () => THINGS.KeySchema,
  AttributeDefinitions: () => THINGS.AttributeDefinitions,
  BillingMode: () => 'PAY_PER_REQUEST',
  Key: key,
  Keys: (random) => [key(random), key(random)],
  Item: item,
  ExclusiveStartKey: (random) => ({ ...key(random), group: { S: 'g' } }),
  KeyConditionExpression: (random) =>
    oneOf(random, ['pk = :p', 'pk = :p AND sk > :q', 'pk = :p AND begins_with(sk, :q)']),
  ConditionExpression: condition,
  FilterExpression: condition,
  UpdateExpression: (random) =>
    oneOf(random, [
      'SET n = :q',
      'SET #n = if_not_exists(#n, :p) REMOVE things[0]',
      'ADD seen :s DELETE tags :s',
    ]),
  ProjectionExpression: (random) => oneOf(random, ['pk, sk', '#n, things[0].x', 'tree.inner.deep']),
  ExpressionAttributeNames: () => ({ '#n': 'n' }),
  ExpressionAttributeValues: (random) => ({
    ':p': { S: 'a' },
    ':q': value(random, 0),
    ':s': { SS: ['x', 'y'] },
  }),
  RequestItems: (random, shape) => ({
    things:
      shape.type === 'map' && shape.of.type === 'list'
        ? [
            { PutRequest: { Item: item(random) } },
            { DeleteRequest: { Key: { pk: { S: 'c' }, sk: { S: 'd' } } } },
          ]
        : { Keys: [key(random), { pk: { S: 'c' }, sk: { S: 'd' } }] },
  }),
  ReturnValues: (random) => oneOf(random, ['ALL_OLD', 'NONE']),
  Statement: (random) =>
    oneOf(random, ['SELECT * FROM things WHERE pk = ?', "DELETE FROM things WHERE pk = 'a' AND sk = 'b'"]),
}

/** Members that are invalid alone, or together with the expressions that replaced them. */
const RARE: ReadonlySet<string> = new Set([
  'AttributesToGet',
  'AttributeUpdates',
  'ConditionalOperator',
  'Expected',
  'KeyConditions',
  'QueryFilter',
  'ScanFilter',
  'Segment',
  'TotalSegments',
  'ExportTime',
  'InputFormatOptions',
])

/** The maximum nesting of generated values, and the maximum length of lists. */
const MAX_DEPTH = 3
const MAX_MEMBERS = 3

/** Generates a value that fits a shape and is often meaningful. Optional members are often omitted. */
export function validInput(shape: Shape, random: Random, ids: AnsweredIds): unknown {
  switch (shape.type) {
    case 'string':
      return shape.oneOf === undefined
        ? oneOf(random, ['things', 'a', '#n'])
        : shape.oneOf[randomInteger(random, 0, shape.oneOf.length - 1)]
    case 'integer':
      return randomInteger(random, shape.value?.min ?? 1, Math.min(shape.value?.max ?? 100, 1000))
    case 'boolean':
      return happens(random, 0.5)
    case 'list':
      return Array.from({ length: randomInteger(random, 1, MAX_MEMBERS) }, () =>
        validInput(shape.of, random, ids),
      )
    case 'map':
      return Object.fromEntries(['a', '#n', ':p'].map((name) => [name, validInput(shape.of, random, ids)]))
    case 'attribute-value':
      return value(random, 0)
    case 'structure':
      return validStructure(shape, random, ids)
  }
}

function validStructure(shape: StructureShape, random: Random, ids: AnsweredIds): object {
  const members = Object.entries(shape.members).filter(
    ([name, { required }]) =>
      required || happens(random, RARE.has(name) ? 0.03 : name === 'KeyConditionExpression' ? 0.95 : 0.4),
  )
  const made: Record<string, unknown> = {}
  for (const [name, member] of members)
    made[name] = ids.draw(random, name) ?? BY_NAME[name]?.(random, member) ?? validInput(member, random, ids)
  // Unused and undefined placeholders are errors, so exactly the used ones are generated.
  const expressions = Object.keys(made)
    .filter((name) => name.endsWith('Expression'))
    .map((name) => made[name])
    .join(' ')
  const used = (name: string) => expressions.includes(name)
  for (const name of ['ExpressionAttributeNames', 'ExpressionAttributeValues']) {
    delete made[name]
    if (!(name in shape.members)) continue
    const placeholders = Object.entries(BY_NAME[name]?.(random, shape) ?? {}).filter(([placeholder]) =>
      used(placeholder),
    )
    if (placeholders.length > 0) made[name] = Object.fromEntries(placeholders)
  }
  return made
}

function tableArn(random: Random): string {
  const name = oneOf(random, ['things', 'things', 'things', 'others', 'nowhere'])
  return `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`
}

function condition(random: Random): string {
  return oneOf(random, [
    'attribute_exists(pk)',
    '#n = :q OR NOT contains(things, :p)',
    'size(sk) > :q AND #n IN (:p, :q)',
    'n BETWEEN :p AND :q',
  ])
}

function key(random: Random): object {
  return {
    pk: { S: oneOf(random, ['a', 'b', 'é🌡', '\u0000']) },
    sk: { S: String(randomInteger(random, 0, 99)) },
  }
}

function item(random: Random): object {
  return {
    ...key(random),
    group: { S: 'g' },
    n: value(random, 0),
    things: { L: [value(random, 1)] },
    tags: { SS: ['x'] },
  }
}

function value(random: Random, depth: number): object {
  if (depth < MAX_DEPTH && happens(random, 0.3)) {
    const inner = value(random, depth + 1)
    return happens(random, 0.5) ? { L: [inner, { NULL: true }] } : { M: { inner, other: { BOOL: true } } }
  }
  return oneOf<object>(random, [
    { S: 'text' },
    { N: String(randomInteger(random, -1000, 1000)) },
    { N: '1.5E-130' },
    { B: 'AQID' },
    { BOOL: false },
    { SS: ['a', 'b'] },
    { NS: ['1', '2.50'] },
    { BS: ['AA==', 'AQ=='] },
  ])
}

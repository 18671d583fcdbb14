import { table } from '@isotherm/fixtures'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Engine } from '../engine/engine.js'
import { ServiceError } from '../errors/service-error.js'
import { MemoryStorage } from '../storage/memory-storage.js'
import { COMPARISON_OPERATORS } from './comparison.js'

type Value = { readonly [type: string]: unknown }
type Attributes = { readonly [name: string]: Value }

const clock = new VirtualClock()
const engine = new Engine({
  storage: new MemoryStorage(),
  clock,
  random: new SeededRandom(7),
  capacity: {},
  throttle: false,
  onPartitionEvent() {},
  stopwatch: clock,
})
const KEY = { pk: { S: 'p' }, sk: { N: '1' } }
engine.execute('CreateTable', table('things', ['pk', 'sk:N']), 'us-east-1')

/** Returns the response, or the name of the error. The two forms have different error texts. */
function ask(operation: string, input: object): unknown {
  try {
    return engine.execute(operation, { TableName: 'things', ...input }, 'us-east-1')
  } catch (error) {
    if (error instanceof ServiceError) return [error.name, error.members]
    throw error
  }
}
const put = (item: object) => ask('PutItem', { Item: { ...KEY, ...item } })

// Few names, so that most attributes in conditions exist.
const name = fc.constantFrom('a', 'size', '#b.c')
const text = fc.constantFrom<Value>({ S: '' }, { S: 'x' }, { S: 'xy' }, { S: 'y' })
const number = fc.constantFrom<Value>({ N: '-1' }, { N: '2' }, { N: '2.0' }, { N: '10' })
const bytes = fc.constantFrom<Value>({ B: '' }, { B: 'AQ==' }, { B: 'AQI=' })
const scalar = fc.oneof(text, number, bytes)
const set = fc.constantFrom<Value>({ SS: ['x'] }, { SS: ['y', 'x'] }, { NS: ['2', '-1'] }, { BS: ['AQ=='] })
const list = fc.constantFrom<Value>({ L: [] }, { L: [{ S: 'x' }, { N: '2' }] })
const other = fc.constantFrom<Value>({ BOOL: true }, { NULL: true }, { M: { x: { S: 'x' } } })
const value = fc.oneof({ weight: 4, arbitrary: scalar }, set, list, other)
const attributes: fc.Arbitrary<Attributes> = fc.dictionary(name, value, { minKeys: 1, maxKeys: 3 })

/** Any operator, with values that may or may not fit it. */
const comparison = fc.record({
  ComparisonOperator: fc.constantFrom(...COMPARISON_OPERATORS),
  AttributeValueList: fc.oneof(
    fc.array(text, { maxLength: 2 }),
    fc.array(number, { minLength: 1, maxLength: 2 }),
    fc.array(value, { minLength: 1, maxLength: 1 }),
  ),
})
type Conditions = { readonly [name: string]: typeof comparison extends fc.Arbitrary<infer T> ? T : never }
const conditions: fc.Arbitrary<Conditions> = fc.dictionary(name, comparison, { minKeys: 1, maxKeys: 3 })
const conditionalOperator = fc.constantFrom('AND', 'OR')

/** The placeholders of an expression, created as needed. */
class Written {
  readonly names: Record<string, string> = {}
  readonly values: Record<string, Value> = {}

  name(attribute: string): string {
    const placeholder = `#n${Object.keys(this.names).length}`
    this.names[placeholder] = attribute
    return placeholder
  }

  value(given: Value | undefined): string {
    const placeholder = `:v${Object.keys(this.values).length}`
    if (given !== undefined) this.values[placeholder] = given
    return placeholder
  }

  /** Empty members are rejected, so they are omitted. */
  get placeholders(): object {
    return {
      ...(Object.keys(this.names).length === 0 ? {} : { ExpressionAttributeNames: this.names }),
      ...(Object.keys(this.values).length === 0 ? {} : { ExpressionAttributeValues: this.values }),
    }
  }

  condition(attribute: string, { ComparisonOperator, AttributeValueList }: Conditions[string]): string {
    const path = this.name(attribute)
    const values = AttributeValueList.map((given) => this.value(given))
    const [first, second] = values
    const order: { readonly [operator: string]: string } = {
      EQ: '=',
      NE: '<>',
      LT: '<',
      LE: '<=',
      GT: '>',
      GE: '>=',
    }
    switch (ComparisonOperator) {
      case 'NULL':
        return `attribute_not_exists(${path})`
      case 'NOT_NULL':
        return `attribute_exists(${path})`
      case 'CONTAINS':
        return `contains(${path}, ${first})`
      case 'NOT_CONTAINS':
        return `(attribute_exists(${path}) AND NOT contains(${path}, ${first}))`
      case 'BEGINS_WITH':
        return `begins_with(${path}, ${first})`
      case 'BETWEEN':
        return `${path} BETWEEN ${first} AND ${second}`
      case 'IN':
        return `${path} IN (${values.join(', ')})`
      default:
        return `${path} ${order[ComparisonOperator]} ${first}`
    }
  }
}

function expressionOf(given: Conditions, operator: string): { readonly text: string; readonly rest: object } {
  const written = new Written()
  const parts = Object.entries(given).map(([attribute, each]) => written.condition(attribute, each))
  return { text: parts.join(` ${operator} `), rest: written.placeholders }
}

/**
 * Legacy conditions accept fewer types and other numbers of values than expressions, so only requests that both accept
 * are compared.
 */
function isRefused(answer: unknown): boolean {
  return Array.isArray(answer) && answer[0] === 'ValidationException'
}

describe('a legacy parameter has the same result as the expression that replaced it', () => {
  it('Expected and ConditionalOperator, as ConditionExpression', () => {
    let compared = 0
    fc.assert(
      fc.property(
        fc.option(attributes),
        conditions,
        conditionalOperator,
        (item, expected, ConditionalOperator) => {
          const legacy = {
            Expected: expected,
            ...(Object.keys(expected).length > 1 ? { ConditionalOperator } : {}),
          }
          const { text: ConditionExpression, rest } = expressionOf(expected, ConditionalOperator)
          const answers = [legacy, { ConditionExpression, ...rest }].map((condition) => {
            ask('DeleteItem', { Key: KEY })
            if (item !== null) put(item)
            return ask('DeleteItem', {
              Key: KEY,
              ...condition,
              ReturnValues: 'ALL_OLD',
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
            })
          })
          if (isRefused(answers[0])) return
          compared++
          expect(answers[0]).toEqual(answers[1])
        },
      ),
      { numRuns: 1500 },
    )
    expect(compared).toBeGreaterThan(200)
  })

  it.each([
    [
      'QueryFilter',
      'Query',
      { KeyConditions: { pk: { ComparisonOperator: 'EQ', AttributeValueList: [KEY.pk] } } },
    ],
    ['ScanFilter', 'Scan', {}],
  ])('%s, as FilterExpression', (parameter, operation, more) => {
    let compared = 0
    const modern = operation === 'Query' ? { KeyConditionExpression: '#pk = :pk' } : {}
    fc.assert(
      fc.property(
        fc.array(attributes, { maxLength: 4 }),
        conditions,
        conditionalOperator,
        (items, filter, ConditionalOperator) => {
          for (const [index, item] of items.entries()) put({ ...item, sk: { N: String(index) } })
          const legacy = ask(operation, {
            ...more,
            [parameter]: filter,
            ...(Object.keys(filter).length > 1 ? { ConditionalOperator } : {}),
          })
          const { text: FilterExpression, rest } = expressionOf(filter, ConditionalOperator)
          const { ExpressionAttributeNames, ExpressionAttributeValues }: { [member: string]: object } = {
            ExpressionAttributeNames: {},
            ExpressionAttributeValues: {},
            ...rest,
          }
          const values = { ...ExpressionAttributeValues, ...(operation === 'Query' ? { ':pk': KEY.pk } : {}) }
          const now = ask(operation, {
            ...modern,
            FilterExpression,
            ExpressionAttributeNames: {
              ...ExpressionAttributeNames,
              ...(operation === 'Query' ? { '#pk': 'pk' } : {}),
            },
            ...(Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: values }),
          })
          if (isRefused(legacy)) return
          compared++
          expect(legacy).toEqual(now)
        },
      ),
      { numRuns: 500 },
    )
    expect(compared).toBeGreaterThan(50)
  })

  it('KeyConditions, as KeyConditionExpression', () => {
    for (const sk of [-1, 0, 2, 10, 11]) put({ sk: { N: String(sk) } })
    const sortTests = fc.oneof(
      fc.tuple(fc.constantFrom('EQ', 'LT', 'LE', 'GT', 'GE'), fc.tuple(number)),
      fc.tuple(fc.constant('BETWEEN'), fc.constant([{ N: '-1' }, { N: '10' }] as Value[])),
      fc.tuple(fc.constantFrom('NE', 'NULL', 'IN', 'CONTAINS'), fc.tuple(number)),
    )
    fc.assert(
      fc.property(sortTests, fc.boolean(), ([operator, values], ScanIndexForward) => {
        const test = { ComparisonOperator: operator as 'EQ', AttributeValueList: values }
        const written = new Written()
        const KeyConditionExpression = [
          written.condition('pk', { ComparisonOperator: 'EQ', AttributeValueList: [KEY.pk] }),
          written.condition('sk', test),
        ].join(' AND ')
        const legacy = ask('Query', {
          KeyConditions: { sk: test, pk: { ComparisonOperator: 'EQ', AttributeValueList: [KEY.pk] } },
          ScanIndexForward,
        })
        expect(legacy).toEqual(
          ask('Query', { KeyConditionExpression, ...written.placeholders, ScanIndexForward }),
        )
      }),
    )
  })

  it('AttributeUpdates, as UpdateExpression', () => {
    const update = fc.oneof(
      fc.record({ Action: fc.constant('PUT'), Value: value }),
      fc.record({ Value: value }),
      fc.record({ Action: fc.constant('ADD'), Value: fc.oneof(number, set, list) }),
      fc.record({ Action: fc.constant('DELETE'), Value: set }),
      fc.constant({ Action: 'DELETE' }),
    )
    const updates: fc.Arbitrary<{ [name: string]: { Action?: string; Value?: Value } }> = fc.dictionary(
      name,
      update,
      { minKeys: 1, maxKeys: 3 },
    )
    const returned = fc.constantFrom('ALL_NEW', 'ALL_OLD', 'UPDATED_NEW', 'UPDATED_OLD')
    fc.assert(
      fc.property(fc.option(attributes), updates, returned, (item, given, ReturnValues) => {
        const written = new Written()
        const clauses: { [keyword: string]: string[] } = {}
        for (const [attribute, { Action, Value }] of Object.entries(given)) {
          const path = written.name(attribute)
          if (Action === 'DELETE' && Value === undefined) {
            clauses.REMOVE = [...(clauses.REMOVE ?? []), path]
          } else if (Action === 'ADD' && Value !== undefined && 'L' in Value) {
            const part = `${path} = list_append(if_not_exists(${path}, ${written.value({ L: [] })}), ${written.value(Value)})`
            clauses.SET = [...(clauses.SET ?? []), part]
          } else if (Action === undefined || Action === 'PUT') {
            clauses.SET = [...(clauses.SET ?? []), `${path} = ${written.value(Value)}`]
          } else {
            clauses[Action] = [...(clauses[Action] ?? []), `${path} ${written.value(Value)}`]
          }
        }
        const UpdateExpression = Object.entries(clauses)
          .map(([keyword, parts]) => `${keyword} ${parts.join(', ')}`)
          .join(' ')
        const answers = [{ AttributeUpdates: given }, { UpdateExpression, ...written.placeholders }].map(
          (changes) => {
            ask('DeleteItem', { Key: KEY })
            if (item !== null) put(item)
            return [
              ask('UpdateItem', { Key: KEY, ...changes, ReturnValues }),
              ask('GetItem', { Key: KEY, ConsistentRead: true }),
            ]
          },
        )
        expect(answers[0]).toEqual(answers[1])
      }),
      { numRuns: 1500 },
    )
  })

  it('AttributesToGet, as ProjectionExpression', () => {
    const names = fc.uniqueArray(fc.oneof(name, fc.constantFrom('pk', 'sk', 'none')), { minLength: 1 })
    fc.assert(
      fc.property(attributes, names, (item, AttributesToGet) => {
        put(item)
        const written = new Written()
        const ProjectionExpression = AttributesToGet.map((each) => written.name(each)).join(', ')
        const modern = { ProjectionExpression, ...written.placeholders }
        for (const operation of ['GetItem', 'Scan']) {
          const more = operation === 'GetItem' ? { Key: KEY } : {}
          expect(ask(operation, { ...more, AttributesToGet })).toEqual(ask(operation, { ...more, ...modern }))
        }
        const batch = (members: object) => ({ RequestItems: { things: { Keys: [KEY], ...members } } })
        expect(ask('BatchGetItem', batch({ AttributesToGet }))).toEqual(ask('BatchGetItem', batch(modern)))
      }),
      { numRuns: 200 },
    )
  })
})

import { describe, expect, it } from 'vitest'
import { operationOf } from './services.js'

describe('the target of a request', () => {
  it.each([
    ['DynamoDB_20120810.PutItem', 'PutItem'],
    ['DynamoDBStreams_20120810.GetRecords', 'GetRecords'],
    ['GraniteServiceVersion20100801.GetMetricData', 'GetMetricData'],
  ])('%s names %s', (target, operation) => {
    expect(operationOf(target)).toBe(operation)
  })

  it.each([
    [undefined],
    [''],
    ['PutItem'],
    ['.PutItem'],
    ['DynamoDB_20111205.PutItem'],
    ['dynamodb_20120810.PutItem'],
    ['DynamoDB_20120810.GetRecords'],
    ['DynamoDBStreams_20120810.PutItem'],
    ['DynamoDBStreams_20120810.'],
    ['GraniteServiceVersion20100801.ListStreams'],
  ])('%s is no operation of a service that is here', (target) => {
    expect(() => operationOf(target)).toThrow(expect.objectContaining({ name: 'UnknownOperationException' }))
  })
})

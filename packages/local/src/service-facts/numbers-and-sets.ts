import { expect } from 'vitest'
import { ENVELOPE, FactBench, KEY, values } from './fact-bench.js'
import type { ServiceFactGroup } from './service-fact.js'

const OVERFLOW = 'Number overflow. Attempting to store a number with magnitude larger than supported range'
const UNDERFLOW = 'Number underflow. Attempting to store a number with magnitude smaller than supported range'
const NOT_NUMERIC = 'The parameter cannot be converted to a numeric value'
const INVALID = 'One or more parameter values were invalid: '

/** The refusals of a number as a value or a key, without the count that writes add. */
function refusalsOf(N: string): string[] {
  const bench = new FactBench()
  const Key = { pk: { N } }
  const messages = [
    ...bench.writeRefusals({ N }),
    bench.refusal('GetItem', { TableName: 'ttt', Key }),
    bench.refusal('BatchGetItem', { RequestItems: { ttt: { Keys: [Key] } } }),
    bench.refusal('Query', { TableName: 'ttt', KeyConditionExpression: 'pk = :v', ...values({ v: { N } }) }),
  ]
  return [...new Set(messages.map((message) => message.replace(ENVELOPE, '')))]
}

/** The refusals of a value by the older of the service's two components that read values. */
function olderRefusals(value: object): string[] {
  const bench = new FactBench()
  return [
    bench.refusal('BatchWriteItem', {
      RequestItems: { ttt: [{ PutRequest: { Item: { ...KEY, v: value } } }] },
    }),
    bench.refusal('ExecuteStatement', {
      Statement: `INSERT INTO "ttt" VALUE {'pk': 'p', 'v': ?}`,
      Parameters: [value],
    }),
  ]
}

function storedAs(value: object): object {
  const bench = new FactBench()
  bench.ask('PutItem', { TableName: 'ttt', Item: { ...KEY, v: value } })
  return bench.ask('GetItem', { TableName: 'ttt', Key: KEY }).Item.v
}

export const NUMBERS_AND_SETS: ServiceFactGroup = {
  subject: 'Numbers and sets',
  file: 'numbers-and-sets',
  facts: [
    {
      id: 'F030',
      fact: 'Exponents are read as 64-bit integers. Only larger ones make a text no number.',
      source: 'tests/tier3/limits/numberExponent.test.ts',
      show() {
        for (const number of ['1e2147483648', '1e99999999999', '1e9223372036854775807']) {
          expect(refusalsOf(number)).toEqual([OVERFLOW])
        }
        for (const number of ['1e-2147483648', '1e-99999999999', '1e-9223372036854775808']) {
          expect(refusalsOf(number)).toEqual([UNDERFLOW])
        }
        for (const number of ['1e9223372036854775808', '1e-9223372036854775809']) {
          expect(refusalsOf(number)).toEqual([`${NOT_NUMERIC}: ${number}`])
        }
      },
    },
    {
      id: 'F031',
      fact: 'A zero with an exponent out of range is refused.',
      source: 'tests/tier3/limits/numberExponent.test.ts',
      show() {
        expect(refusalsOf('0e126')).toEqual([OVERFLOW])
        expect(refusalsOf('0e-131')).toEqual([UNDERFLOW])
        expect(storedAs({ N: '0e125' })).toEqual({ N: '0' })
        expect(storedAs({ N: '0.0e126' })).toEqual({ N: '0' })
      },
    },
    {
      id: 'F032',
      fact: 'The error of an empty number ends with a colon and a blank, except in the operations of the older component.',
      source: 'tests/tier3/error-messages/valueLayers.test.ts',
      show() {
        expect(refusalsOf('')).toEqual([`${NOT_NUMERIC}: `])
        expect(olderRefusals({ N: '' })).toEqual([NOT_NUMERIC, NOT_NUMERIC])
        expect(
          new FactBench().refusal('Scan', {
            TableName: 'ttt',
            FilterExpression: 'v = :v',
            ...values({ v: { N: '' } }),
          }),
        ).toBe(`ExpressionAttributeValues contains invalid value: ${NOT_NUMERIC} for key :v`)
      },
    },
    {
      id: 'F033',
      fact: 'The older component reports the exponent 2147483647 as an underflow, and cannot read larger ones.',
      source: 'tests/tier3/error-messages/valueLayers.test.ts',
      show() {
        expect(olderRefusals({ N: '1e2147483647' })).toEqual([UNDERFLOW, UNDERFLOW])
        expect(olderRefusals({ N: '1e2147483646' })).toEqual([OVERFLOW, OVERFLOW])
        const message = `${NOT_NUMERIC}: 1e2147483648`
        expect(olderRefusals({ N: '1e2147483648' })).toEqual([message, message])
      },
    },
    {
      id: 'F034',
      fact: 'The older component lists the members of a set with duplicates as they were sent.',
      source: 'tests/tier3/error-messages/valueLayers.test.ts',
      show() {
        const [texts] = olderRefusals({ SS: ['b', 'a', 'b'] })
        expect(texts).toBe(`${INVALID}Input collection [b, a, b] contains duplicates.`)
        const [blobs] = olderRefusals({ BS: ['/w==', 'AA==', 'AA=='] })
        expect(blobs).toBe(`${INVALID}Input collection [/w==, AA==, AA==]of type BS contains duplicates.`)
        expect(olderRefusals({ NS: ['1', '1.0'] })[0]).toBe('Input collection contains duplicates')
        expect(
          new FactBench().refusal('BatchWriteItem', {
            RequestItems: { ttt: [{ DeleteRequest: { Key: { pk: { SS: ['b', 'a', 'b'] } } } }] },
          }),
        ).toBe(texts)
      },
    },
    {
      id: 'F035',
      fact: 'TransactWriteItems reports the errors of values in the newer words, without their placeholders.',
      source: 'tests/tier3/error-messages/transactWriteItems.test.ts (three regions by October 2026)',
      show() {
        const refusal = (value: object) =>
          new FactBench().refusal('TransactWriteItems', {
            TransactItems: [
              {
                Update: {
                  TableName: 'ttt',
                  Key: KEY,
                  UpdateExpression: 'SET v = :v',
                  ...values({ v: value }),
                },
              },
            ],
          })
        expect(refusal({ N: 'x' })).toBe(`${NOT_NUMERIC}: x`)
        expect(refusal({ SS: ['b', 'a', 'b'] })).toBe(
          `${INVALID}Input collection ["a", "b", "b"] contains duplicates.`,
        )
      },
    },
    {
      id: 'F036',
      fact: 'Sets come back in order: strings and binary values by bytes, numbers by value.',
      source: 'tests/tier1/updateItem/basic.test.ts',
      show() {
        expect(storedAs({ SS: ['b', 'a', 'C', ''] })).toEqual({ SS: ['', 'C', 'a', 'b'] })
        expect(storedAs({ SS: ['\u{1f600}', '\uffee'] })).toEqual({ SS: ['\uffee', '\u{1f600}'] })
        expect(storedAs({ NS: ['10', '9', '-1', '1e-3'] })).toEqual({ NS: ['-1', '0.001', '9', '10'] })
        expect(JSON.stringify(storedAs({ BS: ['/w==', 'AAA=', 'AA=='] }))).toBe(
          '{"BS":["AA==","AAA=","/w=="]}',
        )
        const bench = new FactBench()
        const update = (UpdateExpression: string, set: object) =>
          bench.ask('UpdateItem', {
            TableName: 'ttt',
            Key: KEY,
            UpdateExpression,
            ...values({ v: set }),
            ReturnValues: 'ALL_NEW',
          }).Attributes.v
        expect(update('SET v = :v', { SS: ['b', 'a'] })).toEqual({ SS: ['a', 'b'] })
        expect(update('ADD v :v', { SS: ['', 'aa'] })).toEqual({ SS: ['', 'a', 'aa', 'b'] })
        expect(update('DELETE v :v', { SS: ['b', 'a'] })).toEqual({ SS: ['', 'aa'] })
      },
    },
  ],
}

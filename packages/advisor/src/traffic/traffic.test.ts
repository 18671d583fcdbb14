import { describe, expect, it } from 'vitest'
import { readLog } from './delimited-log.js'
import { readTrace } from './trace-traffic.js'

const WRITES = { kind: 'write', rate: 1, windowSeconds: 1 } as const

describe('a log', () => {
  it('gives each key its own busiest window, and the table its', () => {
    const log = 'epoch_seconds\tpath\n100\t/a\n100\t/a\n100\t/b\n101\t/b\n109\t/b\n109\t/b\n109\t/b\n'
    const profile = readLog(log, WRITES)
    expect(profile.keys).toEqual([
      { key: '/b', writesPerSecond: 3, readsPerSecond: 0 },
      { key: '/a', writesPerSecond: 2, readsPerSecond: 0 },
    ])
    expect(profile).toMatchObject({ requests: 7, seconds: 10, peakWritesPerSecond: 3, distinctKeys: 2 })
    expect(profile.meanWritesPerSecond).toBeCloseTo(0.7)
  })

  it('has its columns by their names, in any order, as CSV with quotes', () => {
    const log = 'size,what,who,when\n10,GET,"a,b",2026-11-23T18:00:00Z\n30,PutItem,"a,b",1795456800500\n'
    const columns = { time: 'when', key: 'who', operation: 'what', bytes: 'size' }
    expect(readLog(log, { ...WRITES, columns })).toMatchObject({
      keys: [{ key: 'a,b', writesPerSecond: 1, readsPerSecond: 1 }],
      itemBytes: 20,
      seconds: 1.5,
    })
  })

  it('can be made denser', () => {
    expect(readLog('time,key\n1,a\n2,a\n', { ...WRITES, rate: 500 })).toMatchObject({
      peakWritesPerSecond: 500,
      meanWritesPerSecond: 500,
    })
  })

  it('averages over its window', () => {
    expect(
      readLog('time,key\n1,a\n2,a\n', { ...WRITES, windowSeconds: 60 }).keys[0]?.writesPerSecond,
    ).toBeCloseTo(1 / 30)
  })

  it('that lies in two windows has a peak that is not below its mean', () => {
    const lines = Array.from({ length: 60 }, (_, second) => `${30 + second},a\n${30 + second},b\n`)
    const profile = readLog(`time,key\n${lines.join('')}`, { ...WRITES, windowSeconds: 60 })
    expect(profile).toMatchObject({ peakWritesPerSecond: 2, meanWritesPerSecond: 2 })
    expect(profile.keys).toEqual([
      { key: 'a', writesPerSecond: 1, readsPerSecond: 0 },
      { key: 'b', writesPerSecond: 1, readsPerSecond: 0 },
    ])
  })

  it('has the mean size of the items whose size is known', () => {
    const columns = { bytes: 'bytes' }
    const sized = (...bytes: readonly string[]) =>
      readLog(`time,key,bytes\n${bytes.map((each) => `1,a,${each}\n`).join('')}`, { ...WRITES, columns })
    expect(sized('300', '', '500', '-').itemBytes).toBe(400)
    expect(sized('', '-').itemBytes).toBeUndefined()
  })

  it.each([
    ['\n', 'blank lines', 'time,key\n\n\n1,a\n\nnoon,b\n', 6],
    ['\r\n', 'blank lines', 'time,key\n\n\n1,a\n\nnoon,b\n', 6],
    ['\n', 'keys of several lines', 'time,key\n1,"a\nb\nc"\nnoon,"d\ne"\n', 5],
    ['\r\n', 'keys of several lines', 'time,key\n1,"a\nb\nc"\nnoon,"d\ne"\n', 5],
    ['\r\n', 'a heading that is not in its first line', '\n\ntime\tkey\nnoon\ta\n', 4],
  ])('with line ends of %j and %s: an error names the line', (ends, _, log, line) => {
    expect(() => readLog(log.replaceAll('\n', ends), WRITES)).toThrow(`Line ${line} of the log`)
  })

  it('may have other line ends under its heading than in it', () => {
    expect(readLog('time,key\n1,a\r\n1,a\n', WRITES).keys).toMatchObject([{ key: 'a', writesPerSecond: 2 }])
    expect(readLog('time,key\r\n1,a\n1,a\r\n', WRITES).keys).toMatchObject([{ key: 'a', writesPerSecond: 2 }])
    expect(() => readLog('time,key\n1,a\r\n1,b\r\nnoon,a\r\n', WRITES)).toThrow('Line 4 of the log')
  })

  it.each([
    ['no known columns', 'a,b\n1,2\n', /No column of the log is known as its time/],
    ['no requests', 'time,key\n', /no requests/],
    ['nothing', '', /No column/],
    ['a time in words', 'time,key\nnoon,a\n', /Line 2 .* its time is 'noon'/],
    [
      'microseconds',
      'time,key\n1700000000000000,a\n',
      /its time is '1700000000000000'; it must be seconds, milliseconds/,
    ],
    ['nanoseconds', 'time,key\n1700000000000000000,a\n', /its time is '1700000000000000000'/],
    ['a size in words', 'time,key,bytes\n1,a,much\n', /its size is 'much'; it must be a number of bytes/],
    ['an empty key', 'time,key\n1,\n', /Line 2 .* key is empty/],
    ['a torn line', 'time,key\n1\n', /malformed/],
  ])('with %s is refused in a sentence', (_, log, message) => {
    const columns = log.includes(',bytes') ? { bytes: 'bytes' } : {}
    expect(() => readLog(log, { ...WRITES, columns })).toThrow(message)
  })
})

describe('a trace', () => {
  const line = (number: number, operation: string, request: object) =>
    JSON.stringify({
      number,
      at: number * 10,
      region: 'us-east-1',
      operation,
      request,
      outcome: 'ok',
      takes: [],
      refusals: [],
    })
  const header = JSON.stringify({
    isotherm: 'trace',
    version: 2,
    setup: [
      {
        operation: 'CreateTable',
        request: { TableName: 't', KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }] },
      },
    ],
  })
  const key = { pk: { S: 'a' } }
  const trace = [
    header,
    line(0, 'PutItem', { TableName: 't', Item: { ...key, x: { N: '1' } } }),
    line(1, 'GetItem', { TableName: 't', Key: key }),
    line(2, 'Query', {
      TableName: 't',
      KeyConditionExpression: '#k = :v AND sk > :s',
      ExpressionAttributeNames: { '#k': 'pk' },
      ExpressionAttributeValues: { ':v': { S: 'b' }, ':s': { S: '1' } },
    }),
    line(3, 'BatchWriteItem', {
      RequestItems: { t: [{ PutRequest: { Item: key } }, { DeleteRequest: { Key: { pk: { S: 'c' } } } }] },
    }),
    line(4, 'TransactWriteItems', {
      TransactItems: [
        { Update: { TableName: 't', Key: key } },
        { ConditionCheck: { TableName: 't', Key: key } },
      ],
    }),
    line(5, 'ListTables', {}),
  ]

  it('has the keys of its requests, reads and writes apart', () => {
    const { table, key, profile } = readTrace(trace.join('\n'), { rate: 1, windowSeconds: 1 })
    expect({ table, key }).toEqual({ table: 't', key: { partition: 'pk' } })
    expect(profile.keys).toEqual([
      { key: 'a', writesPerSecond: 3, readsPerSecond: 2 },
      { key: 'c', writesPerSecond: 1, readsPerSecond: 0 },
      { key: 'b', writesPerSecond: 0, readsPerSecond: 1 },
    ])
  })

  it('may end with a torn line', () => {
    expect(readTrace(`${trace.join('\n')}\n{"num`, { rate: 1, windowSeconds: 1 }).profile.requests).toBe(7)
  })

  it.each([
    ['another file', '{"a":1}', undefined, /is no trace/],
    ['an unknown table', trace.join('\n'), 'u', /for the table u; it has them for t/],
    ['a broken line', `${header}\nx\n{}`, undefined, /Line 2 of the trace is no JSON/],
    ['one behind empty lines', `${header}\r\n\r\n\r\nx\r\n{}`, undefined, /Line 4 of the trace is no JSON/],
  ])('is refused in a sentence: %s', (_, text, table, message) => {
    const options = { rate: 1, windowSeconds: 1, ...(table === undefined ? {} : { table }) }
    expect(() => readTrace(text, options)).toThrow(message)
  })
})

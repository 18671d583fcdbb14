import type { _Record as SdkRecord } from '@aws-sdk/client-dynamodb-streams'
import type { DynamoDBRecord } from 'aws-lambda'
import { describe, expect, it } from 'vitest'
import { MOVE_ATTRIBUTES } from '../protocol/moves/move-attributes.js'
import { fixedShards } from '../scaling/shards.js'
import { logicalRecord } from './logical-record.js'

const table = { partitionKey: 'file', sortKey: 'at', suffix: 'random' } as const
const mark = (attribute: keyof typeof MOVE_ATTRIBUTES) => ({ [MOVE_ATTRIBUTES[attribute]]: { S: '1:7' } })
const stored = { file: { S: '/a_b_3' }, at: { N: '7' } }
const logical = { file: { S: '/a_b' }, at: { N: '7' } }

const insert: SdkRecord = {
  eventID: '1',
  eventName: 'INSERT',
  dynamodb: { Keys: stored, NewImage: { ...stored, text: { S: 'x' } }, SequenceNumber: '100' },
}

describe('a stream record', () => {
  it('has logical keys in its keys and images, and its shard', () => {
    expect(logicalRecord(insert, table)).toEqual({
      eventID: '1',
      eventName: 'INSERT',
      dynamodb: { Keys: logical, NewImage: { ...logical, text: { S: 'x' } }, SequenceNumber: '100' },
      shard: 3,
      cause: 'application',
    })
  })

  it('does not contain attributes added for sharded indexes', () => {
    const indexes = { by_status: { partitionKey: 'status', shards: fixedShards(3) } }
    const NewImage = { ...stored, status: { S: 'open' }, isotherm_by_status: { S: 'open_2' } }
    const record = { ...insert, dynamodb: { Keys: stored, NewImage } }
    const { dynamodb } = logicalRecord(record, { ...table, indexes })
    expect(dynamodb?.NewImage).toEqual({ ...logical, status: { S: 'open' } })
  })

  it('is not modified itself', () => {
    const copy = structuredClone(insert)
    logicalRecord(insert, table)
    expect(insert).toEqual(copy)
  })

  it('may come from Lambda, with binary keys as base64 text', () => {
    const bytes = (text: string) => Buffer.from(text, 'latin1').toString('base64')
    const Keys = { file: { B: bytes('\u00ff\u0000_12') } }
    const OldImage = { ...Keys, data: { B: bytes('data') } }
    const record: DynamoDBRecord = { eventName: 'REMOVE', dynamodb: { Keys, OldImage } }
    const { dynamodb, shard } = logicalRecord(record, table)
    expect(dynamodb).toEqual({
      Keys: { file: { B: bytes('\u00ff\u0000') } },
      OldImage: { file: { B: bytes('\u00ff\u0000') }, data: { B: bytes('data') } },
    })
    expect(shard).toBe(12)
  })

  it('may come from the SDK, with binary keys as bytes', () => {
    const record: SdkRecord = {
      eventName: 'INSERT',
      dynamodb: { Keys: { file: { B: Buffer.from('\u00ff_2', 'latin1') } } },
    }
    const { dynamodb, shard } = logicalRecord(record, table)
    expect(Buffer.from(dynamodb?.Keys?.file?.B ?? []).toString('latin1')).toBe('\u00ff')
    expect(shard).toBe(2)
  })

  it('keeps a key without a suffix, and has no shard', () => {
    const Keys = { file: { S: 'plain' } }
    const { dynamodb, shard } = logicalRecord({ eventName: 'INSERT', dynamodb: { Keys } }, table)
    expect(dynamodb).toEqual({ Keys })
    expect(shard).toBeUndefined()
  })

  it('uses the delimiter of the table', () => {
    const record = { dynamodb: { Keys: { file: { S: '/a_b#3' } } } }
    const { dynamodb, shard } = logicalRecord(record, { ...table, delimiter: '#' })
    expect(dynamodb).toEqual({ Keys: { file: { S: '/a_b' } } })
    expect(shard).toBe(3)
  })

  it('of an adopted table is in shard 1 when its key has no suffix', () => {
    const { dynamodb, shard } = logicalRecord(
      { dynamodb: { Keys: { file: { S: 'plain' } } } },
      { ...table, adopt: true },
    )
    expect(dynamodb).toEqual({ Keys: { file: { S: 'plain' } } })
    expect(shard).toBe(1)
  })

  it.each([{}, { dynamodb: {} }, { dynamodb: { Keys: { file: { N: '1' } } } }])(
    "is rejected when it does not have the table's key: %j",
    (record) => {
      expect(() => logicalRecord(record, table)).toThrow(expect.objectContaining({ code: 'stream.no-key' }))
    },
  )
})

describe('the cause of a stream record', () => {
  const before = { ...stored, text: { S: 'x' } }
  const images = (eventName: 'INSERT' | 'MODIFY' | 'REMOVE', OldImage?: object, NewImage?: object) => ({
    eventName,
    dynamodb: { Keys: stored, ...(OldImage && { OldImage }), ...(NewImage && { NewImage }) } as object,
  })
  const marked = { ...before, ...mark('moving') }
  const arrived = { ...before, ...mark('moved') }

  it.each([
    ['the mark at the source', images('MODIFY', before, marked)],
    [
      'the mark of an item that was moved before',
      images('MODIFY', arrived, { ...arrived, ...mark('moving') }),
    ],
    [
      'another mark, for another target',
      images('MODIFY', marked, { ...before, [MOVE_ATTRIBUTES.moving]: { S: '2:9' } }),
    ],
    ['the mark taken off again', images('MODIFY', marked, before)],
    ['the removal from the source', images('REMOVE', marked)],
    ['the arrival at the target', images('INSERT', undefined, arrived)],
    ['the mark, seen without the old image', images('MODIFY', undefined, marked)],
  ])('is a move for %s', (_what, record) => {
    const { cause, dynamodb } = logicalRecord(record, table)
    expect(cause).toBe('move')
    expect(JSON.stringify(dynamodb)).not.toContain('isotherm_')
  })

  it.each([
    ['a put', images('INSERT', undefined, before)],
    ['an update', images('MODIFY', before, { ...before, text: { S: 'y' } })],
    ['an update of an item that was moved once', images('MODIFY', arrived, { ...arrived, text: { S: 'y' } })],
    ['a put over an item that was moved once', images('MODIFY', arrived, before)],
    [
      'an append over an item that was about to move',
      images('MODIFY', marked, { ...before, text: { S: 'y' } }),
    ],
    ['a change beside a mark that stays', images('MODIFY', marked, { ...marked, text: { S: 'y' } })],
    ['the removal of an item that was moved once', images('REMOVE', arrived)],
    [
      'the expiry of an item that was about to move',
      {
        ...images('REMOVE', marked),
        userIdentity: { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' },
      },
    ],
    [
      "the same in Lambda's spelling",
      {
        ...images('REMOVE', marked),
        userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
      },
    ],
  ])('is the application for %s', (_what, record) => {
    const { cause, dynamodb } = logicalRecord(record, table)
    expect(cause).toBe('application')
    expect(JSON.stringify(dynamodb)).not.toContain('isotherm_')
  })

  it.each([
    ['an INSERT without its new image', images('INSERT')],
    ['a REMOVE without its old image', images('REMOVE')],
    ['a MODIFY without its new image', images('MODIFY', before)],
    ['a record without the name of its event', { dynamodb: { Keys: stored } }],
  ])('is unknown for %s', (_what, record) => {
    expect(logicalRecord(record, table).cause).toBe('unknown')
  })
})

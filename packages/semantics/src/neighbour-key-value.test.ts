import { describe, expect, it } from 'vitest'
import type { KeyValue } from './attribute-value.js'
import { neighbourKeyValue } from './neighbour-key-value.js'

/** A text or bytes of one kind with an end. */
const text = (count: number, end: string): KeyValue => ({ S: 'a'.repeat(count) + end })
const bytes = (count: number, byte: number, ...end: number[]): KeyValue => ({
  B: Uint8Array.from([...new Array<number>(count).fill(byte), ...end]),
})

/** The last text of 1,024 bytes that begins so, for a beginning of one byte more than a multiple of four. */
const filledUp = (beginning: string): KeyValue => ({ S: `${beginning}${'\u{10ffff}'.repeat(255)}\uffff` })

describe('the next value', () => {
  it.each<[string, KeyValue, KeyValue]>([
    ['a text with one more character, the lowest', { S: 'a' }, { S: 'a\u0000' }],
    ['the first text, behind the empty one', { S: '' }, { S: '\u0000' }],
    ['a text with a higher last character, behind the longest ones', text(1_023, 'a'), text(1_023, 'b')],
    ['a text without the last character where none is higher', text(1_020, '\u{10ffff}'), text(1_019, 'b')],
    [
      'a text without the last character where the higher one needs more bytes',
      text(1_023, '\u007f'),
      text(1_022, 'b'),
    ],
    ['a text that leaves out the surrogates', text(1_021, '\ud7ff'), text(1_021, '\ue000')],
    ['bytes with one more, a zero', bytes(1, 7), bytes(1, 7, 0)],
    ['bytes with a higher last one, behind the longest ones', bytes(1_024, 7), bytes(1_023, 7, 8)],
    [
      'bytes without the last ones where these are the highest',
      bytes(1_022, 7, 255, 255),
      bytes(1_021, 7, 8),
    ],
    [
      'a single byte, behind the longest ones that begin with the one before',
      bytes(0, 0, 1, ...new Array<number>(1_023).fill(255)),
      bytes(1, 2),
    ],
    ['a number with one more in its last digit', { N: '1' }, { N: `1.${'0'.repeat(36)}1` }],
  ])('is %s', (_, value, next) => {
    expect(neighbourKeyValue(value, 1)).toEqual(next)
  })
})

describe('the value before', () => {
  it.each<[string, KeyValue, KeyValue]>([
    ['a text without its last character, the lowest', { S: 'a\u0000' }, { S: 'a' }],
    ['the longest text with a lower last character', { S: 'b' }, filledUp('a')],
    ['a text of the maximum length with a lower last character', text(1_023, 'b'), text(1_023, 'a')],
    ['a text that leaves out the surrogates', text(1_021, '\ue000'), text(1_021, '\ud7ff')],
    ['bytes without the last one, a zero', bytes(1, 7, 0), bytes(1, 7)],
    [
      'the longest bytes with a lower last one',
      bytes(1, 7),
      bytes(0, 0, 6, ...new Array<number>(1_023).fill(255)),
    ],
    ['a number with one less in its last digit', { N: '2' }, { N: `1.${'9'.repeat(37)}` }],
  ])('is %s', (_, value, before) => {
    expect(neighbourKeyValue(value, -1)).toEqual(before)
  })

  it.each<KeyValue>([{ S: '' }, { B: new Uint8Array(0) }])(
    'does not exist for the lowest one, %j',
    (value) => {
      expect(neighbourKeyValue(value, -1)).toBeUndefined()
    },
  )
})

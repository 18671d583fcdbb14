import { describe, expect, it } from 'vitest'
import { EpochTime } from '../cloudwatch/epoch-time.js'
import { parseCborBody, printCbor } from './cbor-body.js'

const hex = (output: object) => Buffer.from(printCbor(output)).toString('hex')
const parse = (text: string) => parseCborBody(Buffer.from(text, 'hex'))

describe('a response in CBOR', () => {
  it('encodes all numbers as doubles, even whole ones', () => {
    expect(hex({ a: [1] })).toBe('a1616181fb3ff0000000000000')
  })

  it('encodes an integer where the model has one', () => {
    expect(hex({ ApproximateUniqueCount: 3 })).toBe('a176417070726f78696d617465556e69717565436f756e7403')
  })

  it('encodes times as tagged seconds at any depth', () => {
    expect(hex({ a: [{ b: new EpochTime(1500) }] })).toBe('a1616181a16162c1fb3ff8000000000000')
  })

  it('omits undefined members', () => {
    expect(hex({ a: undefined })).toBe('a0')
  })
})

describe('a request in CBOR', () => {
  it('may have tagged times, numbers of any size and structures without a length', () => {
    expect(parse('bf6161c11a6553f1006162f93c00ff')).toEqual({ a: 1_700_000_000, b: 1 })
  })

  it('cannot change the prototype of objects', () => {
    const parsed = parse('a1695f5f70726f746f5f5fa1616101') as object
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
    expect(({} as { a?: unknown }).a).toBeUndefined()
  })

  it.each([
    ['more than one value', '0101'],
    ['text in pieces', '7f61616162ff'],
    ['a tag that is none of ours', 'c2420100'],
    ['an end without a beginning', 'ff'],
  ])('is refused with %s', (_, text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ name: 'SerializationException' }))
  })
})

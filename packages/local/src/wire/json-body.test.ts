import { describe, expect, it } from 'vitest'
import { parseJsonBody } from './json-body.js'

const parse = (body: string | Buffer) => parseJsonBody(Buffer.from(body as string))
const refused = expect.objectContaining({ name: 'SerializationException' })

describe('the body of a request', () => {
  it('is JSON in UTF-8, with or without a byte order mark', () => {
    expect(parse('{"ключ":"値 🌡"}')).toEqual({ ключ: '値 🌡' })
    expect(parse('\ufeff{"a":1}')).toEqual({ a: 1 })
  })

  it('uses the last of two members with the same name', () => {
    expect(parse('{"a":1,"a":2}')).toEqual({ a: 2 })
  })

  it('may have a member of any name, without changing any other object', () => {
    const parsed = parse('{"__proto__":{"S":"x"},"constructor":1}') as object
    expect(Object.keys(parsed)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
  })

  it.each([
    ['empty', ''],
    ['a mark alone', '\ufeff'],
    ['cut off', '{"a":'],
    ['followed by something', '{} {}'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['UTF-8 of half a character', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
  ])('is refused when it is %s', (_, body) => {
    expect(() => parse(body)).toThrow(refused)
  })

  it('may be nested a thousand deep, and no deeper', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(parse(nested(1000))).toBeInstanceOf(Array)
    expect(() => parse(nested(1001))).toThrow(refused)
    expect(() => parse(`{"a":${'{"b":'.repeat(1000)}`)).toThrow(refused)
    expect(() => parse('['.repeat(16 * 1024 * 1024))).toThrow(refused)
  })

  it('may contain any number of brackets side by side, and inside text', () => {
    expect(parse(`[${'[],'.repeat(5000)}[]]`)).toHaveLength(5001)
    const text = '[{\\"'.repeat(5000)
    expect(parse(`{"a":"${text}"}`)).toEqual({ a: text.replaceAll('\\', '') })
  })
})

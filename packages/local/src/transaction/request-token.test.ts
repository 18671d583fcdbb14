import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fingerprintAhead, requestFingerprint, requestToken } from './request-token.js'

describe('the fingerprint of a request', () => {
  it('is the same for any order of members, and with or without members that are null', () => {
    const one = { Put: { TableName: 't', Item: { a: { S: 'x' }, b: { N: '1' } } } }
    const two = { Put: { Item: { b: { N: '1' }, a: { S: 'x' } }, TableName: 't', ConditionExpression: null } }
    expect(requestFingerprint(two)).toBe(requestFingerprint(one))
  })

  it('is the same for bytes and for their base64', () => {
    expect(requestFingerprint({ B: new Uint8Array([1, 2, 3]) })).toBe(requestFingerprint({ B: 'AQID' }))
  })

  it.each([
    [
      [{ S: 'a' }, { S: 'b' }],
      [{ S: 'b' }, { S: 'a' }],
    ],
    [{ a: 'b' }, { b: 'a' }],
    [{ a: 'bc' }, { ab: 'c' }],
    [['a', 'b'], ['ab']],
    [[['a'], 'b'], [['a', 'b']]],
    [{ M: {} }, { L: [] }],
  ])('differs for %j and %j', (one, two) => {
    expect(requestFingerprint(one)).not.toBe(requestFingerprint(two))
  })

  it('differs for any two values that print differently', () => {
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string(),
        fc.array(tie('value')),
        fc.dictionary(fc.string(), tie('value')),
      ),
    })).value
    const printed = (any: unknown): string =>
      Array.isArray(any)
        ? `[${any.map(printed).join()}]`
        : typeof any === 'object' && any !== null
          ? `{${Object.entries(any)
              .sort(([a], [b]) => (a < b ? -1 : 1))
              .map(([name, inner]) => `${JSON.stringify(name)}:${printed(inner)}`)
              .join()}}`
          : JSON.stringify(any)
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(requestFingerprint(a) === requestFingerprint(b)).toBe(printed(a) === printed(b))
      }),
    )
  })
})

describe('a fingerprint that was computed ahead', () => {
  const request = () => [
    { Put: { TableName: 't', Item: { a: { S: 'é\ud83d' }, b: { L: [] } } } },
    { Delete: {} },
  ]

  it.each([
    ['several members', request()],
    ['no members', []],
  ])('is the same, after a step for each member: %s', (_, members) => {
    expect([...fingerprintAhead(members)]).toHaveLength(members.length)
    expect(requestToken('token', members)?.fingerprint).toBe(requestFingerprint(members))
  })

  it('is that of its own request', () => {
    const first = request()
    for (const _ of fingerprintAhead(first));
    expect(requestToken('token', request().slice(1))?.fingerprint).toBe(requestFingerprint(first.slice(1)))
  })
})

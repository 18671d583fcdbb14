import { describe, expect, it } from 'vitest'
import { tokenize } from './lexer.js'

function placesOf(text: string) {
  const { tokens, end } = tokenize(text)
  return [...tokens, end].map(({ at }) => at)
}

describe('the tokens of a statement', () => {
  it('have a place: line, column and length', () => {
    expect(placesOf('a <= \n   bc')).toEqual(['1:1:1', '1:3:2', '2:4:2', '2:6:0'])
    expect(placesOf('\na')).toEqual(['2:1:1', '2:2:0'])
    expect(placesOf('\n\n  a /*\n*/ b')).toEqual(['3:3:1', '4:4:1', '4:5:0'])
    expect(placesOf(`'a\nb' c`)).toEqual(['1:1:5', '2:4:1', '2:5:0'])
  })

  it('are strings and names without their quotes', () => {
    const { tokens } = tokenize(`'it''s' "a ""b""" 'SELECT' "select"`)
    expect(tokens.map(({ kind, text }) => [kind, text])).toEqual([
      ['string', "it's"],
      ['name', 'a "b"'],
      ['string', 'SELECT'],
      ['name', 'select'],
    ])
  })

  it.each(['1', '1.', '1.25', '.25', '12e3', '1.5E-10', '1e2147483647', '12e-2147483647', '1.5e-2147483646'])(
    'are a number: %s',
    (number) => {
      expect(tokenize(number).tokens).toMatchObject([{ kind: 'number', text: number }])
    },
  )

  it.each(['1e2147483648', '1e-2147483649', '1.5e-2147483648', '.5e99999999999'])(
    'are no number whose scale has more than 32 bits: %s',
    (number) => {
      expect(() => tokenize(number)).toThrow("Statement wasn't well formed, can't be processed: ")
    },
  )
})

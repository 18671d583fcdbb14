import { describe, expect, it } from 'vitest'
import { StatementReader } from './partiql/statement-reader.js'
import { TokenReader } from './token-reader.js'
import { ValidationError } from './validation-error.js'

interface Word {
  readonly kind: 'word' | 'end'
  readonly text: string
}

class WordReader extends TokenReader<Word> {
  constructor(text: string) {
    super({
      tokens: text.split(' ').map((word) => ({ kind: 'word', text: word })),
      end: { kind: 'end', text: '' },
    })
  }

  refused(message: string): ValidationError {
    return new ValidationError('word', message)
  }
}

describe('the end of the tokens', () => {
  it('is never passed, however often it is taken', () => {
    const reader = new WordReader('one two')
    expect([reader.take().text, reader.take().text]).toEqual(['one', 'two'])
    for (let time = 0; time < 3; time++) {
      expect(reader.take().kind).toBe('end')
      expect(reader.peek(-1).text).toBe('two')
    }
  })
})

describe('a text in quotes', () => {
  it('is no symbol, although it has the same characters', () => {
    expect(new StatementReader("','").isSymbol(',')).toBe(false)
    expect(new StatementReader('","').acceptSymbol(',')).toBe(false)
    expect(new StatementReader(',').isSymbol(',')).toBe(true)
  })

  it('is no keyword, although it has the same letters', () => {
    expect(new StatementReader("'FROM'").isKeyword('FROM')).toBe(false)
    expect(new StatementReader('"FROM"').acceptKeyword('FROM')).toBe(false)
    expect(new StatementReader('from').isKeyword('FROM')).toBe(true)
  })
})

import { describe, expect, it } from 'vitest'
import { type AnswerReader, HttpAnswerReader, parsedAnswer, RedisAnswerReader } from './answer-reader.js'

const COUNTED = 'HTTP/1.1 200 OK\r\nx: 1\r\nContent-Length: 11\r\n\r\n{"Count":1}'
const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"Cou\r\n6\r\nnt":1}\r\n0\r\n\r\n'

/** Reads an answer in pieces of one size. @returns the answer, and how many pieces were read */
function readInPieces(reader: AnswerReader, text: string, bytes: number) {
  const whole = Buffer.from(text)
  for (let at = 0, pieces = 1; at < whole.length; at += bytes, pieces++) {
    const answer = reader.read(whole.subarray(at, at + bytes))
    if (answer !== undefined) return { answer: answer.toString(), pieces }
  }
  return undefined
}

describe('the reader of answers', () => {
  it.each([
    ['an answer with a length', () => new HttpAnswerReader(), COUNTED],
    ['an answer in chunks', () => new HttpAnswerReader(), CHUNKED],
    ['a text of Redis', () => new RedisAnswerReader(), '$5\r\nabcde\r\n'],
    ['a line of Redis', () => new RedisAnswerReader(), '+OK\r\n'],
  ])('finds the end of %s, however it is cut', (_name, makeReader, text) => {
    const reader = makeReader()
    for (let bytes = 1; bytes <= text.length; bytes++) {
      const read = readInPieces(reader, text, bytes)
      expect(read).toEqual({ answer: text, pieces: Math.ceil(text.length / bytes) })
    }
  })

  it('ends the measurement at an answer that is no success', () => {
    const refused = 'HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}'
    expect(() => new HttpAnswerReader().read(Buffer.from(refused))).toThrow('400')
    expect(() => new RedisAnswerReader().read(Buffer.from('-ERR unknown command\r\n'))).toThrow('ERR')
  })

  it('gives the body without its chunks, and the headers that a server chose', () => {
    expect(parsedAnswer(Buffer.from(CHUNKED)).body).toBe('{"Count":1}')
    expect(parsedAnswer(Buffer.from(COUNTED))).toEqual({
      headers: { x: '1', 'Content-Length': '11' },
      body: '{"Count":1}',
    })
  })
})

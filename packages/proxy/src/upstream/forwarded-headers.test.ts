import { describe, expect, it } from 'vitest'
import { forwardedHeaders, returnedHeaders } from './forwarded-headers.js'

const END_TO_END = { 'content-type': 'application/x-amz-json-1.0', 'x-kept': '1' }
const OF_THE_CONNECTION = {
  connection: 'keep-alive, X-Hop , x-other-hop',
  'keep-alive': 'timeout=5',
  'x-hop': 'a',
  'X-Other-Hop': 'b',
}

describe.each([
  ['a request', forwardedHeaders],
  ['a response', returnedHeaders],
])('the headers of %s', (_, passed) => {
  it('are passed on without those of the connection, and those that it names', () => {
    expect(passed({ ...END_TO_END, ...OF_THE_CONNECTION })).toEqual(END_TO_END)
    expect(passed({ ...END_TO_END, Connection: 'x-hop', 'x-hop': 'a' })).toEqual(END_TO_END)
  })

  it('are all passed on where the connection names none', () => {
    expect(passed({ ...END_TO_END, connection: '' })).toEqual(END_TO_END)
    expect(passed({ ...END_TO_END, connection: 'close' })).toEqual(END_TO_END)
  })
})

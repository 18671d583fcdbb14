import { describe, expect, it } from 'vitest'
import { JsonResponse } from './json-response.js'

describe('the headers of a response', () => {
  it.each([undefined, {}, { 'x-amzn-errortype': 'ValidationException', connection: 'close' }])(
    'are the same as lines, with %o in addition',
    (more) => {
      const response = new JsonResponse(400, '{}', 2, 2_745_614_147, more)
      const lines = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}\r\n`)
      expect(response.headerLines).toBe(lines.join(''))
      expect(response.headers).toEqual({
        server: 'Server',
        'content-type': 'application/x-amz-json-1.0',
        'content-length': '2',
        'x-amzn-requestid': expect.stringMatching(/^[\w-]{36}$/),
        'x-amz-crc32': '2745614147',
        ...more,
      })
    },
  )
})

import { Sha256Node } from '@smithy/core/checksum'
import { HttpRequest } from '@smithy/core/protocols'
import { SignatureV4 } from '@smithy/signature-v4'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RequestSigner, type SigningCredentials } from './request-signer.js'

const word = fc.stringMatching(/^[A-Za-z0-9/+=]{1,60}$/)
const name = fc.constantFrom(
  'x-amz-target',
  'x-amz-user-agent',
  'x-amz-a',
  'content-type',
  'content-encoding',
)
const value = fc.stringMatching(/^[\x20-\x7e]{1,40}$/)
const credentials = fc.record(
  { accessKeyId: word, secretAccessKey: word, sessionToken: word },
  { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
)

it("signs as the SDK's own signer does, for any credentials, region, time, path, headers and body", async () => {
  const request = fc.record({
    region: fc.stringMatching(/^[a-z]{2}-[a-z]{4,9}-\d$/),
    first: credentials,
    refreshed: credentials,
    times: fc.array(fc.integer({ min: 0, max: 4e12 }), { minLength: 1, maxLength: 4 }),
    path: fc.constantFrom('/', '/prefix', '/prefix/', '/a b/c%20d', "/it's(1)*!/x"),
    headers: fc.dictionary(name, value),
    unsigned: fc.dictionary(fc.constantFrom('user-agent', 'accept-encoding', 'amz-sdk-request'), value),
    body: fc.uint8Array({ maxLength: 200 }),
  })
  await fc.assert(
    fc.asyncProperty(request, async ({ region, first, refreshed, times, path, headers, unsigned, body }) => {
      const signer = new RequestSigner(region)
      const host = `dynamodb.${region}.amazonaws.com`
      for (const [at, time] of times.entries()) {
        const now = (at % 2 === 0 ? first : refreshed) as SigningCredentials
        const oracle = new SignatureV4({
          credentials: now,
          region,
          sha256: Sha256Node,
          service: 'dynamodb',
          applyChecksum: false,
        })
        const all = { ...headers, ...unsigned, host }
        const expected = await oracle.sign(
          new HttpRequest({ method: 'POST', hostname: host, path, headers: { ...all }, body }),
          { signingDate: new Date(time), unsignableHeaders: new Set(Object.keys(unsigned)) },
        )
        expect(signer.sign({ path, headers: all, body }, now, time)).toEqual(expected.headers)
      }
    }),
  )
})

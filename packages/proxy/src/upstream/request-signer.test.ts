import { createLocal } from '@isotherm/local'
import { expect, it } from 'vitest'
import { RequestSigner } from './request-signer.js'

const KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }

it('uses the key of the day, of the secret, and of the region', () => {
  const sign = (signer: RequestSigner, secretAccessKey: string, time: string) =>
    signer.sign(
      { path: '/', headers: { host: 'a' }, body: Buffer.from('{}') },
      { ...KEYS, secretAccessKey },
      Date.parse(time),
    ).authorization
  const one = new RequestSigner('eu-central-1')
  const other = new RequestSigner('us-east-1')
  const signatures = [
    sign(one, 'a', '2026-11-24T23:59:59Z'),
    sign(one, 'a', '2026-11-25T00:00:00Z'),
    sign(one, 'b', '2026-11-25T00:00:00Z'),
    sign(other, 'b', '2026-11-25T00:00:00Z'),
  ]
  expect(new Set(signatures).size).toBe(4)
  expect(signatures[0]).toContain('Credential=AKIDEXAMPLE/20261124/eu-central-1/dynamodb/aws4_request, ')
  expect(sign(one, 'a', '2026-11-24T23:59:59Z')).toBe(signatures[0])
})

it('is accepted by an endpoint that checks signatures, with and without a session token', async () => {
  const local = createLocal({ throttle: false, region: 'eu-central-1' })
  const { url } = await local.listen({ port: 0, credentials: [KEYS] })
  const signer = new RequestSigner('eu-central-1')
  const ask = async (credentials: typeof KEYS & { readonly sessionToken?: string }, sent = '{}') => {
    const headers = {
      host: new URL(url).host,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.ListTables',
    }
    const signed = signer.sign({ path: '/', headers, body: Buffer.from('{}') }, credentials, Date.now())
    return (await fetch(url, { method: 'POST', headers: signed, body: sent })).status
  }
  expect(await ask(KEYS)).toBe(200)
  expect(await ask({ ...KEYS, sessionToken: 'of a role' })).toBe(200)
  expect(await ask({ ...KEYS, secretAccessKey: 'another' })).toBe(400)
  expect(await ask(KEYS, '{"Limit":1}')).toBe(400)
  await local.close()
})

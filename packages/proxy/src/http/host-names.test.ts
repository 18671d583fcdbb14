import { request } from 'node:http'
import { expect, it } from 'vitest'
import { serveProxy } from '../proxy.fixture.js'

it.each([
  ['Isotherm.Internal', 'isotherm.internal'],
  ['isotherm.internal', 'Isotherm.Internal:8010'],
  ['FD00::1', '[fd00::1]:8010'],
  ['[fd00::1]', '[fd00::1]'],
])('allowedHosts with %s allows requests to %s', async (allowed, host) => {
  const served = await serveProxy({ allowedHosts: [allowed] })
  const answer = new Promise((resolve) => {
    request(served.url, { headers: { host }, path: '/health' }, ({ statusCode }) => resolve(statusCode)).end()
  })
  expect(await answer).toBe(200)
  await served.stop()
})

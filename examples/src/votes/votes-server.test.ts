import type { AddressInfo } from 'node:net'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { expect, it } from 'vitest'
import { votesServer } from './votes-server.js'

it('a voter has one vote, and votes of a crowd are all counted', async () => {
  const local = createLocal()
  const client = local.client()
  await client.send(createTable('counters', ['id']))
  const server = votesServer(client, 'counters')
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const ask = (method: string, path: string) => fetch(`http://127.0.0.1:${port}${path}`, { method })
  try {
    const voters = Array.from({ length: 200 }, (_, index) => `voter-${index % 100}`)
    const answers = await Promise.all(voters.map((voter) => ask('PUT', `/campaigns/summer/votes/${voter}`)))
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    expect({ new: count(201), again: count(200) }).toEqual({ new: 100, again: 100 })
    expect(await (await ask('GET', '/campaigns/summer')).json()).toEqual({ votes: 100 })
    expect(await (await ask('GET', '/campaigns/winter')).json()).toEqual({ votes: 0 })
    expect((await ask('GET', '/elsewhere')).status).toBe(404)
  } finally {
    server.close()
    await local.close()
  }
})

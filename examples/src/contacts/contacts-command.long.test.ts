import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createLocal } from '@isotherm/local'
import { afterAll, expect, it, vi } from 'vitest'
import { contactBook } from './contact-book.js'
import { contactsCommand } from './contacts-command.js'
import { contactsServer } from './contacts-server.js'

const folder = mkdtempSync(join(tmpdir(), 'contacts-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('the command imports a file, resumes, and checks; the server answers, and refuses what is wrong', async () => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION']) vi.stubEnv(name, 'local')
  const local = createLocal()
  const { url } = await local.listen({ port: 0 })
  const file = join(folder, 'contacts.jsonl')
  const rows = Array.from({ length: 60 }, (_, at) => ({
    id: `c${at}`,
    fields: { name: `Person ${at}` },
    links: { category: ['friends'] },
  }))
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const run = async (...args: string[]) => {
    const [printed, shown]: [string[], string[]] = [[], []]
    const take = (lines: string[]) => (text: string) => lines.push(text)
    await contactsCommand([...args, '--endpoint', url], take(printed), take(shown))
    return { printed: printed.join('\n'), shown }
  }
  await run('create-tables')
  await expect(run('import', file)).rejects.toMatchObject({ code: 'search.missing' })
  await run('category', 'friends', 'Friends')
  const { printed, shown } = await run('import', file)
  expect(printed).toBe('60 rows: 60 created, 0 changed, 0 unchanged')
  expect(shown.at(-1)).toBe(`[${'#'.repeat(30)}] 60 of 60 rows, 60 created, 0 changed`)
  expect((await run('import', file, '--skip', '50')).printed).toBe(
    '60 rows: 0 created, 0 changed, 10 unchanged',
  )
  expect((await run('check', '--repair')).printed).toMatch(/^60 contacts: 0 search items missing, 0 too many/)
  expect((await run('sing')).printed).toContain('create-tables')

  const server = contactsServer(contactBook(new DynamoDBClient({ endpoint: url })), 'demo')
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const ask = async (path: string, body?: string) => {
    const response = await fetch(`${at}${path}`, body === undefined ? {} : { method: 'POST', body })
    return [response.status, await response.json()] as const
  }
  // The index follows a moment later.
  await expect
    .poll(() => ask('/contacts?text=person%2059'))
    .toMatchObject([200, { contacts: [{ id: 'c59', highlights: { name: [[0, 9]] } }] }])
  expect(await ask('/contacts?cursor=forged')).toMatchObject([
    400,
    { error: expect.stringContaining('forged') },
  ])
  expect(await ask('/contacts', '{"name": "Ann"}')).toMatchObject([201, { name: 'Ann' }])
  expect((await ask('/contacts', '{"name": "Ann", "age": 3}'))[0]).toBe(400)
  expect((await ask('/contacts', 'x'))[0]).toBe(400)
  expect((await ask('/contacts', JSON.stringify({ name: 'x'.repeat(20_000) })))[0]).toBe(413)
  expect((await ask('/elsewhere'))[0]).toBe(404)
  server.close()
  await local.close()
})

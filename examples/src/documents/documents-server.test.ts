import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { directoryStore, ensureChunkTable } from 'isotherm/large'
import { expect, it } from 'vitest'
import { documentsServer } from './documents-server.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-documents-'))

it.each([
  ['chunks', () => undefined],
  ['files', () => directoryStore(folder)],
])('a document and its attachment are one item, with attachments as %s', async (_name, store) => {
  const local = createLocal({ throttle: false })
  const client = local.client()
  await client.send(createTable('documents', ['id']))
  await ensureChunkTable(client, { table: 'documents' })
  const server = documentsServer(client, 'documents', store())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const ask = (method: string, path: string, body?: string | Uint8Array<ArrayBuffer>) =>
    fetch(`http://127.0.0.1:${port}/documents/${path}`, { method, ...(body === undefined ? {} : { body }) })
  try {
    const document = { title: 'Minutes', body: 'We met. '.repeat(1_000) }
    expect((await ask('PUT', '42', JSON.stringify(document))).status).toBe(201)
    expect((await ask('PUT', '42', JSON.stringify(document))).status).toBe(409)
    const scan = Uint8Array.from({ length: 3_000_000 }, (_, index) => (index * 2_654_435_761) >>> 24)
    expect((await ask('PUT', '42/attachment', scan)).status).toBe(204)
    expect((await ask('PUT', '43/attachment', scan)).status).toBe(404)
    expect(await (await ask('GET', '42')).json()).toEqual({ ...document, attachmentBytes: 3_000_000 })
    const read = new Uint8Array(await (await ask('GET', '42/attachment')).arrayBuffer())
    expect(Buffer.compare(read, scan)).toBe(0)
    expect((await ask('DELETE', '42')).status).toBe(204)
    expect((await ask('GET', '42')).status).toBe(404)
    expect((await ask('GET', '42/attachment')).status).toBe(404)
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
    await local.close()
  }
})

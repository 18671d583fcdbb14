import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { directoryStore } from './directory-store.js'
import type { ObjectStore } from './object-store.js'
import { s3Store } from './s3-store.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-objects-'))
const objects = new Map<string, Buffer>()
let server: Server
let s3: S3Client

/** As much of the protocol of S3 as the store uses: objects by their paths. */
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    const body = Buffer.concat(await request.toArray())
    const object = objects.get(pathname)
    if (request.method === 'PUT') objects.set(pathname, body)
    if (request.method === 'DELETE') objects.delete(pathname)
    if (request.method !== 'GET') return response.writeHead(request.method === 'PUT' ? 200 : 204).end()
    if (object !== undefined) return response.writeHead(200).end(object)
    return response.writeHead(404).end('<Error><Code>NoSuchKey</Code><Message>No such key.</Message></Error>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  s3 = new S3Client({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })
})
afterAll(() => {
  s3.destroy()
  server.close()
  rmSync(folder, { recursive: true })
})

const stores: Readonly<Record<string, () => ObjectStore>> = {
  'a directory': () => directoryStore(join(folder, 'new')),
  'a bucket': () => s3Store(s3, { bucket: 'acme', prefix: 'documents/' }),
}

describe.each(Object.keys(stores))('%s', (name) => {
  const store = () => (stores[name] as () => ObjectStore)()

  it('keeps an object until it is deleted', async () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251)
    expect(await store().get('a/b-1')).toBeUndefined()
    await store().put('a/b-1', bytes)
    await store().put('a/b-2', new Uint8Array([1]))
    expect(Buffer.compare((await store().get('a/b-1')) ?? new Uint8Array(), bytes)).toBe(0)
    await store().put('a/b-1', new Uint8Array([2, 3]))
    expect([...((await store().get('a/b-1')) ?? [])]).toEqual([2, 3])
    await store().delete('a/b-1')
    await store().delete('a/b-1')
    expect(await store().get('a/b-1')).toBeUndefined()
    expect([...((await store().get('a/b-2')) ?? [])]).toEqual([1])
  })
})

it('a directory has whole files only, and none outside of it', async () => {
  const store = directoryStore(join(folder, 'new'))
  await Promise.all(Array.from({ length: 20 }, () => store.put('x/same', new Uint8Array(100_000))))
  expect(readdirSync(join(folder, 'new/x'))).toEqual(['same'])
  for (const name of ['../outside', '', '.', 'a/../../outside']) {
    await expect(store.put(name, new Uint8Array(1))).rejects.toMatchObject({ code: 'options.invalid' })
  }
})

it('objects of a bucket have their prefix', async () => {
  await s3Store(s3, { bucket: 'acme', prefix: 'logs/' }).put('one', new Uint8Array([1]))
  expect([...objects.keys()]).toContain('/acme/logs/one')
})

it.each([
  [{}, 'options.invalid'],
  [{ bucket: '' }, 'options.invalid'],
  [{ bucket: 'a', region: 'b' }, 'options.unknown'],
])('a bucket with the options %j is refused', (options, code) => {
  expect(() => s3Store(s3, options as never)).toThrow(expect.objectContaining({ code }))
})

import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { directoryStore } from './directory-store.js'

const one = new Uint8Array([1])
let folder: string
/** Called for each directory that is flushed, with its inode. */
let onFlush: (inode: number) => void = () => {}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'isotherm-objects-'))
  const handle = await open(folder, 'r')
  const handles = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const sync = handles.sync
  vi.spyOn(handles, 'sync').mockImplementation(async function (this: FileHandle) {
    const found = await this.stat()
    if (found.isDirectory()) onFlush(found.ino)
    await sync.call(this)
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  onFlush = () => {}
  rmSync(folder, { recursive: true })
})

it.skipIf(process.platform === 'win32')(
  'the name of an object is flushed when it has it, with those of the directories around it',
  async () => {
    const root = join(folder, 'new', 'root')
    const flushed: number[] = []
    onFlush = (inode) => {
      expect(existsSync(join(root, 'a', '1'))).toBe(true)
      flushed.push(inode)
    }
    const inodes = (...paths: string[]) => paths.map((path) => statSync(path).ino)
    const store = directoryStore(root)
    await store.put('a/1', one)
    expect(flushed.splice(0)).toEqual(inodes(join(root, 'a'), root, join(folder, 'new'), folder))
    await store.put('a/1', one)
    expect(flushed).toEqual(inodes(join(root, 'a'), root))
  },
)

it.skipIf(process.platform === 'win32')(
  'a file system that does not flush directories stores objects, and other errors are thrown',
  async () => {
    let code = ''
    onFlush = () => {
      throw Object.assign(new Error(code), { code })
    }
    const store = directoryStore(folder)
    for (code of ['EINVAL', 'ENOTSUP', 'EPERM', 'EBADF']) {
      await store.put(code, one)
      expect([...((await store.get(code)) ?? [])]).toEqual([1])
    }
    code = 'EIO'
    await expect(store.put('1', one)).rejects.toMatchObject({ code: 'EIO' })
  },
)

it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'a directory that may be written and not listed stores objects',
  async () => {
    const closed = join(folder, 'closed')
    mkdirSync(closed)
    chmodSync(closed, 0o333)
    try {
      const store = directoryStore(closed)
      await store.put('1', one)
      expect([...((await store.get('1')) ?? [])]).toEqual([1])
    } finally {
      chmodSync(closed, 0o777)
    }
  },
)

it('the directory of objects is deleted with the last of them, also while others get new ones', async () => {
  const store = directoryStore(folder)
  await store.put('a/1', one)
  await store.put('a/2', one)
  await store.delete('a/1')
  await store.delete('a/none')
  expect(readdirSync(folder)).toEqual(['a'])
  await store.delete('a/2')
  await store.delete('a/2')
  expect(readdirSync(folder)).toEqual([])
  await store.put('1', one)
  await store.delete('1')
  expect(existsSync(folder)).toBe(true)
  await Promise.all(
    Array.from({ length: 50 }, async (_, at) => {
      for (let round = 0; round < 5; round++) {
        await store.put(`b/${at}`, one)
        expect(await store.get(`b/${at}`)).toBeDefined()
        await store.delete(`b/${at}`)
      }
    }),
  )
  expect(readdirSync(folder)).toEqual([])
})

import { mkdtempSync, rmSync } from 'node:fs'
import type * as Files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { directoryStore } from './directory-store.js'

const { flushed, refusal } = vi.hoisted(() => ({
  flushed: [] as string[],
  refusal: { code: undefined as string | undefined },
}))

vi.mock('node:fs/promises', async (original) => {
  const files = await original<typeof Files>()
  const open = async (path: string, flags: string) => {
    const handle = await files.open(path, flags)
    const sync = handle.sync.bind(handle)
    handle.sync = async () => {
      flushed.push(path)
      const { code } = refusal
      if (code !== undefined && flags === 'r') throw Object.assign(new Error(code), { code })
      await sync()
    }
    return handle
  }
  const rename = async (from: string, to: string) => {
    flushed.push('renamed')
    await files.rename(from, to)
  }
  return { ...files, open, rename }
})

const folder = mkdtempSync(join(tmpdir(), 'isotherm-objects-'))
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() => {
  flushed.length = 0
  refusal.code = undefined
})

const one = new Uint8Array([1])

it.skipIf(process.platform === 'win32')(
  'the name of an object is flushed when it has it, with those of the directories that are new',
  async () => {
    const root = join(folder, 'new', 'root')
    const store = directoryStore(root)
    await store.put('a/1', one)
    const file = expect.stringMatching(/1\.\d+-\d+\.tmp$/)
    expect(flushed).toEqual([file, 'renamed', join(root, 'a'), root, join(folder, 'new'), folder])
    flushed.length = 0
    await store.put('a/1', one)
    expect(flushed).toEqual([file, 'renamed', join(root, 'a'), root])
  },
)

it.skipIf(process.platform === 'win32')(
  'a file system that does not flush directories stores objects, and other errors are thrown',
  async () => {
    const store = directoryStore(join(folder, 'remote'))
    refusal.code = 'EINVAL'
    await store.put('1', one)
    expect([...((await store.get('1')) ?? [])]).toEqual([1])
    refusal.code = 'EIO'
    await expect(store.put('1', one)).rejects.toMatchObject({ code: 'EIO' })
  },
)

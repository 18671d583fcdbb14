import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { BucketError } from './bucket-error.js'
import type { NewFolder } from './buckets.js'
import { DirectoryBuckets } from './directory-buckets.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-buckets-'))
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0
let directory: string
let buckets: DirectoryBuckets
beforeEach(() => {
  directory = join(folder, String(count++), 'buckets')
  mkdirSync(join(directory, 'store/a/b'), { recursive: true })
  writeFileSync(join(directory, 'store/a/b/one.json'), '1')
  writeFileSync(join(directory, 'store/a/two.json'), '22')
  writeFileSync(join(directory, 'store/a-file'), '')
  writeFileSync(join(directory, '../secret'), 'secret')
  buckets = new DirectoryBuckets(directory)
})

const keys = async (prefix: string) => (await buckets.objects('store', prefix)).map(({ key }) => key)
const put = (to: NewFolder, name: string, content: string) =>
  to.write(name, (object) => pipeline([content], object))

async function failure(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(error instanceof BucketError)) throw new Error(`Not refused: ${String(error)}`)
  return `${error.failure}: ${error.message}`
}

describe('a directory of buckets', () => {
  it('reads a small object at once, and nothing outside of itself', () => {
    expect(buckets.readAtOnce('store', 'a/two.json')?.toString()).toBe('22')
    symlinkSync(join(directory, '../secret'), join(directory, 'store/a/link'))
    symlinkSync(join(directory, '..'), join(directory, 'store/up'))
    writeFileSync(join(directory, 'store/large'), Buffer.alloc(1024 * 1024 + 1))
    for (const key of ['a/none', 'a', 'a/link', 'up/secret', '../../secret', 'large', '']) {
      expect(buckets.readAtOnce('store', key), key).toBeUndefined()
    }
    expect(buckets.readAtOnce('..', 'secret')).toBeUndefined()
    expect(buckets.readAtOnce('none', 'a')).toBeUndefined()
  })

  it('lists the objects whose key begins with a prefix', async () => {
    expect(await buckets.objects('store', '')).toEqual([
      { key: 'a-file', bytes: 0 },
      { key: 'a/b/one.json', bytes: 1 },
      { key: 'a/two.json', bytes: 2 },
    ])
    expect(await keys('a/')).toEqual(['a/b/one.json', 'a/two.json'])
    expect(await keys('a')).toHaveLength(3)
    expect(await keys('a/t')).toEqual(['a/two.json'])
    expect(await keys('a/b')).toEqual(['a/b/one.json'])
    expect(await keys('x')).toEqual([])
    expect(await text(await buckets.read('store', 'a/two.json'))).toBe('22')
  })

  it('shows a folder when it is published, and nobody but its owner can read it', async () => {
    const added = await buckets.newFolder('new-store', 'deep/in/it')
    await put(added, 'data/x', 'content')
    await put(added, 'summary', '')
    expect(await buckets.objects('new-store', '')).toEqual([])
    await added.publish()
    expect((await buckets.objects('new-store', '')).map(({ key }) => key)).toEqual([
      'deep/in/it/data/x',
      'deep/in/it/summary',
    ])
    const path = join(directory, 'new-store/deep/in/it/data/x')
    expect(readFileSync(path, 'utf8')).toBe('content')
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('removes a folder that was not published, and no other one', async () => {
    const added = await buckets.newFolder('store', 'a/b')
    await put(added, 'x', 'content')
    await buckets.discard('store', 'a/b')
    await buckets.discard('store', 'never/begun')
    await buckets.discard('nowhere', 'a')
    expect(await keys('')).toHaveLength(3)
    expect(existsSync(join(directory, 'store/a/b.isotherm-part'))).toBe(false)
    expect(existsSync(join(directory, 'nowhere'))).toBe(false)
  })

  it('names a bucket or a folder that does not exist', async () => {
    expect(await failure(buckets.objects('nowhere', ''))).toContain(
      'S3NoSuchBucket: The specified bucket does not exist: there is no folder nowhere in',
    )
    expect(await failure(buckets.objects('store', 'x/y'))).toContain(
      'S3NoSuchKey: The bucket store has no folder x',
    )
    expect(await failure(buckets.read('store', 'x.json'))).toContain('S3NoSuchKey: There is no')
    rmSync(directory, { recursive: true })
    expect(await failure(buckets.newFolder('store', 'x'))).toContain('S3NoSuchKey: There is no')
  })

  it('does not leave the bucket by the key', async () => {
    for (const key of ['../secret', '../../secret', 'a/../../../secret', '/etc/passwd', 'a/', '']) {
      expect(await failure(buckets.read('store', key))).toContain('S3AccessDenied: The key is')
      expect(await failure(buckets.newFolder('store', key))).toContain('S3AccessDenied: The key is')
    }
    for (const bucket of ['..', '.', 'a/b', '../secret', 'a\\b', '', 'x\u0000y']) {
      expect(await failure(buckets.newFolder(bucket, 'x'))).toContain('is no name of a bucket')
      expect(await failure(buckets.objects(bucket, ''))).toContain('is no name of a bucket')
    }
    expect(await failure(buckets.objects('store', '../'))).toContain('S3AccessDenied: The key is')
    expect(await failure(buckets.objects('store', '../buckets/store/a'))).toContain(
      'S3AccessDenied: The key is',
    )
  })

  it('follows no link, wherever it is', async () => {
    const outside = join(directory, '..')
    symlinkSync(outside, join(directory, 'linked'))
    symlinkSync(outside, join(directory, 'store/folder'))
    symlinkSync(join(outside, 'secret'), join(directory, 'store/a/secret'))
    for (const work of [
      () => buckets.objects('linked', ''),
      () => buckets.objects('store', ''),
      () => buckets.objects('store', 'folder/'),
      () => buckets.objects('store', 'a/s'),
      () => buckets.read('store', 'a/secret'),
      () => buckets.read('store', 'folder/secret'),
      () => buckets.newFolder('linked', 'x'),
      () => buckets.newFolder('store', 'folder/x'),
    ]) {
      expect(await failure(work())).toMatch(/^S3AccessDenied: .* is a link/)
    }
    // Other objects can be read.
    expect(await keys('a/b')).toEqual(['a/b/one.json'])
  })

  it('may itself be a link', async () => {
    const link = join(directory, '../link')
    symlinkSync(directory, link)
    expect(await new DirectoryBuckets(link).objects('store', 'a/b')).toHaveLength(1)
  })
})

import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, opendir, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { BucketError, fileError } from './bucket-error.js'
import type { BucketObject, Buckets, NewFolder } from './buckets.js'
import { keySegments, keyViolation } from './object-key.js'

/** Only its owner may read an export, because it contains the data of users. */
const OWNER_ONLY_FOLDER = 0o700
const OWNER_ONLY_FILE = 0o600

/** The end of the name of a folder that is not published. */
const UNPUBLISHED = '.isotherm-part'

/** As on the service: each import takes at most this many objects. */
const MAX_OBJECTS = 50_000

/** A small object has at most this size. */
const MAX_SMALL_BYTES = 1024 * 1024

/** What a bucket's name consists of, so that it is the name of a folder and no path. */
const BUCKET = /^[a-zA-Z0-9][\w.-]*[a-zA-Z0-9]$/

/** A pipe must not hold up the process. Windows has neither of these flags. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/**
 * Buckets as folders of a directory. Links are never followed, so nothing outside of the directory is read or written,
 * whatever a key says, and even if another program has put a link into a bucket.
 */
export class DirectoryBuckets implements Buckets {
  readonly directory: string

  /** @param directory exists. It may be a link. */
  constructor(directory: string) {
    this.directory = directory
  }

  async newFolder(bucket: string, key: string): Promise<NewFolder> {
    const path = await this.#pathOf(bucket, key, 'create')
    const part = path + UNPUBLISHED
    await mkdir(part, OWNER_ONLY_FOLDER).catch((error: unknown) => {
      throw fileError(part, 'written', error)
    })
    return new UnpublishedFolder(path, part)
  }

  async discard(bucket: string, key: string): Promise<void> {
    const path = await this.#pathOf(bucket, key, 'find').catch(() => undefined)
    if (path !== undefined) await rm(path + UNPUBLISHED, { recursive: true, force: true })
  }

  async objects(bucket: string, prefix: string): Promise<readonly BucketObject[]> {
    const violation = keyViolation(prefix)
    if (violation !== undefined) throw badKey(prefix, violation)
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
    const found: BucketObject[] = []
    await this.#collect(await this.#folderOf(bucket, keySegments(folder)), folder, prefix, found)
    return found.sort((a, b) => (a.key < b.key ? -1 : 1))
  }

  async read(bucket: string, key: string): Promise<Readable> {
    const path = await this.#pathOf(bucket, key, 'find')
    const file = await open(path, constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
      throw Object(error).code === 'ELOOP' ? isLink(path) : fileError(path, 'read', error)
    })
    return file.createReadStream()
  }

  readAtOnce(bucket: string, key: string): Buffer | undefined {
    if (!BUCKET.test(bucket) || keyViolation(key) !== undefined) return undefined
    try {
      let path = realpathSync(this.directory)
      const segments = [bucket, ...keySegments(key)]
      for (const folder of segments.slice(0, -1)) {
        path = join(path, folder)
        if (!lstatSync(path).isDirectory()) return undefined
      }
      return smallFile(join(path, segments.at(-1) ?? ''))
    } catch {
      // There is no such object, or the process has no permission to read it.
      return undefined
    }
  }

  /** The path of a key, in a folder that exists or is created. */
  async #pathOf(bucket: string, key: string, missing: 'create' | 'find'): Promise<string> {
    const violation = keyViolation(key)
    const segments = keySegments(key)
    const name = segments.at(-1)
    if (violation !== undefined) throw badKey(key, violation)
    if (name === undefined || key.endsWith('/')) throw badKey(key, 'it must name an object')
    return join(await this.#folderOf(bucket, segments.slice(0, -1), missing), name)
  }

  async #folderOf(
    bucket: string,
    segments: readonly string[],
    missing: 'create' | 'find' = 'find',
  ): Promise<string> {
    if (!BUCKET.test(bucket)) throw new BucketError('S3AccessDenied', `'${bucket}' is no name of a bucket.`)
    let path = await realpath(this.directory).catch((error: unknown) => {
      throw fileError(this.directory, 'read', error)
    })
    for (const [depth, segment] of [bucket, ...segments].entries()) {
      path = join(path, segment)
      if (missing === 'create') await makeFolder(path)
      const kind = await lstat(path).catch((error: unknown) => {
        if (Object(error).code !== 'ENOENT') throw fileError(path, 'read', error)
        throw depth === 0 ? this.#noBucket(bucket) : noObjects(bucket, segments)
      })
      if (kind.isSymbolicLink()) throw isLink(path)
      if (!kind.isDirectory()) throw noObjects(bucket, segments)
    }
    return path
  }

  async #collect(path: string, folder: string, prefix: string, found: BucketObject[]): Promise<void> {
    const entries = await opendir(path).catch((error: unknown) => {
      throw fileError(path, 'read', error)
    })
    for await (const entry of entries) {
      const key = folder + entry.name
      if (!key.startsWith(prefix)) continue
      const place = join(path, entry.name)
      if (entry.isSymbolicLink()) throw isLink(place)
      if (entry.isDirectory()) {
        if (entry.name.endsWith(UNPUBLISHED)) continue
        const inside = `${key}/`
        const violation = keyViolation(inside)
        if (violation !== undefined) {
          throw new BucketError('S3AccessDenied', `The folder ${place} cannot be read: ${violation}.`)
        }
        await this.#collect(place, inside, prefix, found)
      } else if (entry.isFile()) {
        if (found.length === MAX_OBJECTS) throw tooMany(prefix)
        found.push({ key, bytes: (await lstat(place)).size })
      }
    }
  }

  #noBucket(bucket: string): BucketError {
    return new BucketError(
      'S3NoSuchBucket',
      `The specified bucket does not exist: there is no folder ${bucket} in ${this.directory}. Create it, or name another bucket.`,
    )
  }
}

class UnpublishedFolder implements NewFolder {
  readonly #path: string
  readonly #part: string

  constructor(path: string, part: string) {
    this.#path = path
    this.#part = part
  }

  async write(name: string, fill: (object: Writable) => Promise<void>): Promise<void> {
    const path = join(this.#part, ...keySegments(name))
    try {
      await makeFolder(dirname(path))
      const file = await open(path, 'wx', OWNER_ONLY_FILE)
      await fill(file.createWriteStream({ flush: true }))
    } catch (error) {
      throw fileError(path, 'written', error)
    }
  }

  async publish(): Promise<void> {
    try {
      await rename(this.#part, this.#path)
      await flushFolder(dirname(this.#path))
    } catch (error) {
      throw fileError(this.#path, 'written', error)
    }
  }
}

/** @returns `undefined` for a large file, and for anything that is no file. @throws when there is none, and for a link. */
function smallFile(path: string): Buffer | undefined {
  const file = openSync(path, constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const status = fstatSync(file)
    return status.isFile() && status.size <= MAX_SMALL_BYTES ? readFileSync(file) : undefined
  } finally {
    closeSync(file)
  }
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, OWNER_ONLY_FOLDER).catch((error: unknown) => {
    if (Object(error).code !== 'EEXIST') throw fileError(path, 'written', error)
  })
}

/** Makes the new name of a folder survive a power cut. Windows cannot open folders, and does this by itself. */
async function flushFolder(path: string): Promise<void> {
  let folder: FileHandle | undefined
  try {
    folder = await open(path, 'r')
    await folder.sync()
  } catch (error) {
    if (process.platform !== 'win32') throw error
  } finally {
    await folder?.close()
  }
}

function badKey(key: string, violation: string): BucketError {
  return new BucketError('S3AccessDenied', `The key is '${key}'; ${violation}.`)
}

function isLink(path: string): BucketError {
  return new BucketError(
    'S3AccessDenied',
    `${path} is a link, and the engine follows no links in buckets. Put ${basename(path)} itself there.`,
  )
}

function noObjects(bucket: string, segments: readonly string[]): BucketError {
  return new BucketError(
    'S3NoSuchKey',
    `The bucket ${bucket} has no folder ${segments.join('/')}. Check the prefix.`,
  )
}

function tooMany(prefix: string): BucketError {
  return new BucketError(
    'InternalServerError',
    `More than ${MAX_OBJECTS} objects begin with '${prefix}', and an import takes at most that many. Name a longer prefix.`,
  )
}

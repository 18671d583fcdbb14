import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { LocalError } from '../../errors/local-error.js'
import type { EncodedKey } from '../../keyspace/encoded-key.js'
import { LmdbStorage } from './lmdb-storage.js'
import { loadLmdb } from './load-lmdb.js'
import { readStamp } from './stamp.js'
import { storedRows } from './stored-rows.js'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-directory-'))
afterAll(() => rmSync(folder, { recursive: true }))

let directory = ''
let directories = 0
beforeEach(() => {
  directory = join(folder, String(directories++))
})

/** Opens the directory and returns the error. */
function refusal(): { code: string; message: string } {
  try {
    new LmdbStorage(directory)
  } catch (error) {
    if (error instanceof LocalError) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error('It was not refused.')
}

const OPENER = `
const { LmdbStorage } = await import(process.argv[1])
try {
  new LmdbStorage(process.argv[2])
  console.log('opened')
} catch (error) {
  console.log(error.code, error.message)
}`

/**
 * Opens the directory in a separate process and returns the code of the error. LMDB's native code writes to the standard error
 * of its process when a file is damaged.
 */
function refusalElsewhere(): string | undefined {
  return printedBy(OPENER).code
}

function printedBy(program: string): { readonly code: string; readonly message: string } {
  const storage = new URL('../../../dist/storage/lmdb/lmdb-storage.js', import.meta.url).href
  const args = ['--input-type=module', '--eval', program, storage, directory]
  return codeAndText(spawnSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' }).stdout)
}

const FULL_OPENER = `
import { openSync } from 'node:fs'
await import(process.argv[1])
try {
  if (process.argv[3] === 'full') for (;;) openSync('/dev/null')
} catch {}
${OPENER}`

/** What a process prints that opens the directory under a limit, which has opened as many files as it may if that is the limit. */
function printedUnder(limit: string): { readonly code: string; readonly message: string } {
  const storage = new URL('../../../dist/storage/lmdb/lmdb-storage.js', import.meta.url).href
  const script = `${limit}; exec "$0" --input-type=module --eval "$@"`
  const full = limit.includes('-n') ? 'full' : 'free'
  const args = ['-c', script, process.execPath, FULL_OPENER, storage, directory, full]
  return codeAndText(spawnSync('bash', args, { encoding: 'utf8', stdio: 'pipe' }).stdout)
}

function codeAndText(printed: string): { readonly code: string; readonly message: string } {
  const [code = '', ...words] = printed.trim().split(' ')
  return { code, message: words.join(' ') }
}

/**
 * A process of a user who may do less than one who may do everything. It becomes that user after it has loaded its code, which may be
 * in a folder that others may not read, such as the home of root.
 */
const asNobody = (program: string) => `
await import(process.argv[1])
const { loadLmdb } = await import(new URL('load-lmdb.js', process.argv[1]))
const { verifyDirectory } = await import(new URL('../../salvage/verify-directory.js', process.argv[1]))
loadLmdb()
if (process.getuid() === 0) {
  process.setgroups([])
  process.setgid(65_534)
  process.setuid(65_534)
}
${program}`

const VERIFIER = `
await verifyDirectory(process.argv[2]).then(
  () => console.log('verified'),
  (error) => console.log(error.code, error.message),
)`

/** Fills the directory with some rows and closes it. */
async function filled(): Promise<void> {
  const storage = new LmdbStorage(directory)
  const after = { item: { text: { S: 'x'.repeat(1_000) } }, bytes: 1_004 }
  const changes = Array.from({ length: 200 }, (_, each) => {
    return { keyspace: 't', key: `k${each}` as EncodedKey, before: undefined, after }
  })
  // In one commit: each waits for the disk.
  await storage.write(changes)
  await storage.close()
}

describe('a data directory', () => {
  it('is created together with its parent directories', async () => {
    directory = join(directory, 'deep', 'er')
    await new LmdbStorage(directory).close()
    expect(JSON.parse(readFileSync(join(directory, 'isotherm.json'), 'utf8'))).toEqual({
      format: 'isotherm data directory',
      version: 3,
      state: 'ready',
    })
  })

  it.skipIf(process.platform === 'win32')(
    'has files that only their owner can read, wherever they are',
    async () => {
      mkdirSync(directory, { mode: 0o755 })
      await new LmdbStorage(directory).close()
      const modes = readdirSync(directory).map((name) => statSync(join(directory, name)).mode & 0o777)
      expect(modes).toEqual(modes.map(() => 0o600))
      expect(modes.length).toBeGreaterThan(2)
    },
  )

  it('may be empty, or left empty by an interrupted start', async () => {
    mkdirSync(directory)
    await new LmdbStorage(directory).close()
    rmSync(directory, { recursive: true })
    mkdirSync(directory)
    writeFileSync(join(directory, 'isotherm.json.4711'), '{"form')
    await new LmdbStorage(directory).close()
    await new LmdbStorage(directory).close()
  })

  it('is rejected unchanged when it holds other files', () => {
    mkdirSync(directory)
    writeFileSync(join(directory, 'letter.txt'), 'Dear')
    const { code, message } = refusal()
    expect(code).toBe('storage.foreign')
    expect(message).toContain(directory)
    expect(readdirSync(directory)).toEqual(['letter.txt'])
  })

  it('is rejected when its stamp belongs to another program', () => {
    mkdirSync(directory)
    writeFileSync(join(directory, 'isotherm.json'), '{"temperature":20}')
    expect(refusal().code).toBe('storage.foreign')
  })

  it('is rejected when a newer version wrote it', async () => {
    await filled()
    const stamp = { format: 'isotherm data directory', version: 4, state: 'ready' }
    writeFileSync(join(directory, 'isotherm.json'), JSON.stringify(stamp))
    const { code, message } = refusal()
    expect(code).toBe('storage.newer')
    expect(message).toContain('has format version 4; this version of Isotherm reads up to 3')
  })

  it('of the first version, without checksums, is opened, and gets them as its rows are written', async () => {
    await filled()
    const rows = loadLmdb().open<Buffer, Buffer>({
      path: join(directory, 'items.mdb'),
      noSubdir: true,
      encoding: 'binary',
      keyEncoding: 'binary',
    })
    for (const { key, value } of rows.getRange()) rows.putSync(key, value.subarray(5))
    await rows.close()
    const stamp = { format: 'isotherm data directory', version: 1, state: 'ready' }
    writeFileSync(join(directory, 'isotherm.json'), JSON.stringify(stamp))

    const storage = new LmdbStorage(directory)
    const map = storage.open('t')
    const before = map.get('k7' as EncodedKey)
    expect(before?.item).toEqual({ text: { S: 'x'.repeat(1_000) } })
    const after = { item: { text: { S: 'new' } }, bytes: 7 }
    await storage.write([{ keyspace: 't', key: 'k7' as EncodedKey, before, after }])
    await storage.close()
    expect(readStamp(directory)?.version).toBe(2)
    const types = [...storedRows({ file: join(directory, 'items.mdb'), mayHaveUnsealedRows: true })].map(
      ({ type }) => type,
    )
    expect(types.filter((type) => type === 'item')).toHaveLength(200)
    expect(types.filter((type) => type === 'damage')).toEqual([])
    // The item, the row of its keyspace, and no other row were written again.
    expect(types.filter((type) => type === 'unsealed')).toHaveLength(200)
  })

  describe.skipIf(process.platform === 'win32')('whose files this process may not use', () => {
    beforeEach(async () => {
      chmodSync(folder, 0o755)
      await filled()
      chmodSync(directory, 0o755)
    })
    const allow = (mode: number, names = readdirSync(directory)) => {
      for (const name of names) chmodSync(join(directory, name), mode)
    }

    it.each([
      ['all of them, as those of another user', 0o000, undefined, 'read and write isotherm.json'],
      ['all of them for writing, as on a read-only disk', 0o444, undefined, 'read and write isotherm.json'],
      ['the one that marks its opener', 0o444, ['opener.mdb'], 'read and write opener.mdb'],
      ['the data', 0o444, ['items.mdb'], 'read and write items.mdb'],
    ])('is not damaged, and the error names the file: %s', (_, mode, names, what) => {
      allow(0o666)
      allow(mode, names)
      const { code, message } = printedBy(asNobody(OPENER))
      expect(code).toBe('storage.directory')
      expect(message).toContain(`cannot be used: this process may not ${what} (EACCES)`)
      expect(message).not.toContain('salvage')
    })

    it('cannot be verified, unless the data may be read', () => {
      allow(0o666)
      allow(0o444, ['items.mdb', 'isotherm.json'])
      expect(printedBy(asNobody(VERIFIER))).toEqual({ code: 'verified', message: '' })
      allow(0o000, ['items.mdb'])
      expect(printedBy(asNobody(VERIFIER))).toMatchObject({
        code: 'storage.directory',
        message: expect.stringContaining('this process may not read items.mdb (EACCES)'),
      })
    })

    it('cannot be opened where a file must be created in it', () => {
      allow(0o666)
      rmSync(join(directory, 'items.mdb-lock'))
      chmodSync(directory, 0o555)
      expect(printedBy(asNobody(OPENER)).message).toContain(
        'this process may not read and write the directory (EACCES)',
      )
      chmodSync(directory, 0o777)
      expect(printedBy(asNobody(OPENER))).toEqual({ code: 'opened', message: '' })
    })
  })

  it('is rejected when it is a file, or below one', () => {
    const file = directory
    writeFileSync(file, '')
    expect(refusal()).toEqual({
      code: 'storage.directory',
      message: `The data directory ${file} cannot be used: it is not a directory. Nothing in it was changed. Give the path of a directory.`,
    })
    directory = join(file, 'below')
    expect(refusal().code).toBe('storage.directory')
    expect(refusal().message).toContain('A file is where a directory must be')
  })

  it.each(['isotherm.json', 'items.mdb', 'items.mdb-lock', 'opener.mdb', 'opener.mdb-lock'])(
    'is not damaged when there is a directory in place of its %s',
    async (name) => {
      await filled()
      rmSync(join(directory, name))
      mkdirSync(join(directory, name))
      // In a separate process, because the database ends the process.
      const { code, message } = printedBy(OPENER)
      expect(code).toBe('storage.directory')
      expect(message).toContain(`its ${name} is not a file. Nothing in it was changed. Move it away`)
    },
  )

  describe.skipIf(process.platform !== 'linux')('that a limit of the process keeps from being opened', () => {
    beforeEach(() => filled())

    it.each([
      [
        'files that may be open',
        'ulimit -n 120',
        'storage.limits',
        'Raise the number of files that may be open',
      ],
      ['address space', 'ulimit -v 100000000', 'storage.limits', 'ulimit -v unlimited'],
      ['the size of files', 'ulimit -f 10', 'storage.full', 'files of only 10240 bytes'],
    ])('is not damaged, and the error names the limit: %s', (_, limit, code, what) => {
      const refused = printedUnder(limit)
      expect(refused.code).toBe(code)
      expect(refused.message).toContain(what)
      expect(refused.message).not.toContain('salvage')
    })
  })

  it('is rejected when its data file is missing', async () => {
    await filled()
    rmSync(join(directory, 'items.mdb'))
    expect(refusal().code).toBe('storage.damaged')
  })

  it('is rejected when its data file is not a database', async () => {
    await filled()
    writeFileSync(join(directory, 'items.mdb'), 'x'.repeat(100_000))
    expect(refusal().code).toBe('storage.damaged')
  })

  it('is rejected unchanged when its data file is truncated', async () => {
    await filled()
    const file = join(directory, 'items.mdb')
    const { size } = statSync(file)
    for (const left of [size / 2, 4_096 * 3, 4_096, 100]) {
      truncateSync(file, Math.floor(left))
      expect([refusalElsewhere(), statSync(file).size]).toEqual(['storage.damaged', Math.floor(left)])
    }
  })

  it('is rejected a second time in one process, until it is closed', async () => {
    const storage = new LmdbStorage(directory)
    expect(refusal()).toMatchObject({ code: 'storage.in-use' })
    await storage.close()
    await new LmdbStorage(directory).close()
  })

  it('is rejected while another process has it open, until that process ends', async () => {
    const writer = fileURLToPath(new URL('../../../crash/writer.js', import.meta.url))
    const child = spawn(process.execPath, [writer, directory, '1', '1'])
    const closed = once(child, 'close')
    try {
      await once(child.stdout, 'data')
      const { code, message } = refusal()
      expect(code).toBe('storage.in-use')
      expect(message).toContain(`by the process ${child.pid}`)
    } finally {
      child.kill('SIGKILL')
      await closed
    }
    await new LmdbStorage(directory).close()
  })
})

describe('a data directory', () => {
  it('must have a name', () => {
    directory = ''
    expect(refusal()).toMatchObject({ code: 'storage.directory' })
  })

  it.skipIf(process.platform === 'win32')('is open to its owner only', async () => {
    const storage = new LmdbStorage(directory)
    await storage.close()
    expect(statSync(directory).mode & 0o077).toBe(0)
  })

  it('is refused, and not touched, when the file that marks its opener is damaged', async () => {
    const storage = new LmdbStorage(directory)
    await storage.close()
    const opener = join(directory, 'opener.mdb')
    writeFileSync(opener, Buffer.alloc(statSync(opener).size))
    expect(refusal()).toMatchObject({ code: 'storage.damaged' })
    expect(refusal().message).toContain('delete this file')
    rmSync(opener)
    await new LmdbStorage(directory).close()
  })
})

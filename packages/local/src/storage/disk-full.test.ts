import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { afterAll, expect, it, vi } from 'vitest'
import { LocalError } from '../errors/local-error.js'
import { createLocal } from '../local.js'

const DISK = 'size=8m'

/** A separate small disk. Only the superuser on Linux can create one. */
const disk = mkdtempSync(join(tmpdir(), 'isotherm-disk-'))
const isMounted = mount()
afterAll(() => {
  if (isMounted) execFileSync('umount', ['--lazy', disk])
  rmSync(disk, { recursive: true })
})

function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', DISK, 'tmpfs', disk], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

it.skipIf(process.platform !== 'linux')(
  'a limit of file sizes rejects writes, and names the limit (skipped elsewhere than on Linux)',
  () => {
    const program = fileURLToPath(new URL('../../crash/file-limit.js', import.meta.url))
    const limited = mkdtempSync(join(tmpdir(), 'isotherm-limited-'))
    const script = `ulimit -f 4096; exec "$0" "$1" "$2"`
    const { stdout, status } = spawnSync(
      'bash',
      ['-c', script, process.execPath, program, join(limited, 'data')],
      { encoding: 'utf8', stdio: 'pipe' },
    )
    rmSync(limited, { recursive: true })
    expect(status).toBe(0)
    const { written, refused, message, warnings, isReadable } = JSON.parse(stdout)
    expect(written).toBeGreaterThan(10)
    expect(refused).toBeGreaterThan(10)
    expect(message).toContain('has reached the largest file that this process may write')
    expect({ warnings, isReadable }).toEqual({ warnings: 1, isReadable: true })
  },
)

const skipped = isMounted ? '' : ' (skipped: mounting a small disk needs the superuser of Linux)'

it.skipIf(!isMounted)(`a new directory is not begun on a full disk${skipped}`, () => {
  const filler = join(disk, 'filler')
  for (const freeBytes of [0, 200 * 1024]) {
    writeFileSync(filler, Buffer.alloc(8 * 1024 * 1024 - freeBytes))
    const directory = join(disk, `new ${freeBytes}`)
    expect(() => createLocal({ data: directory })).toThrow(expect.objectContaining({ code: 'storage.full' }))
    expect(existsSync(directory)).toBe(false)
    rmSync(filler)
  }
})

it.skipIf(!isMounted)(
  `a full disk rejects writes and loses nothing, until there is space again${skipped}`,
  async () => {
    const filler = join(disk, 'filler')
    writeFileSync(filler, Buffer.alloc(4 * 1024 * 1024))
    const told: unknown[] = []
    const directory = join(disk, 'data')
    const local = createLocal({ data: directory, throttle: false, onBug: (error) => told.push(error) })
    const client = local.client({ maxAttempts: 1 })
    await client.send(createTable('full', ['pk:N']))
    const payload = 'x'.repeat(100_000)
    const put = (each: number) =>
      client.send(
        new PutItemCommand({ TableName: 'full', Item: { pk: { N: `${each}` }, payload: { S: payload } } }),
      )
    const has = async (each: number) => {
      const { Item: item } = await client.send(
        new GetItemCommand({ TableName: 'full', Key: { pk: { N: `${each}` } }, ConsistentRead: true }),
      )
      return item?.payload?.S === payload
    }

    // More writes than one commit holds, so that writes queued behind the failed commit are rejected with it.
    const acknowledged: number[] = []
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const refused: { number: number; error: unknown }[] = []
    for (let first = 0; first < 100; first += 5) {
      const five = [0, 1, 2, 3, 4].map((each) => first + each)
      await Promise.all(
        five.map((each) =>
          put(each).then(
            () => acknowledged.push(each),
            (error: unknown) => refused.push({ number: each, error }),
          ),
        ),
      )
    }
    // The database itself never meets the full disk.
    expect(printed).not.toHaveBeenCalled()
    printed.mockRestore()
    expect(acknowledged.length).toBeGreaterThan(10)
    expect(refused.length).toBeGreaterThan(10)
    for (const { error } of refused) {
      expect(error).toMatchObject({ name: 'InternalServerError', $metadata: { httpStatusCode: 500 } })
      expect(String(error)).toContain('is full')
    }
    expect(told.every((error) => error instanceof LocalError && error.code === 'storage.full')).toBe(true)
    expect(told.length).toBeGreaterThan(0)
    expect(told.length).toBeLessThan(refused.length)
    for (const each of acknowledged) expect(await has(each)).toBe(true)
    for (const { number } of refused) expect(await has(number)).toBe(false)

    rmSync(filler)
    expect(statfsSync(disk).bfree).toBeGreaterThan(0)
    for (const { number } of refused.slice(0, 5)) await put(number)
    await local.close()

    const again = createLocal({ data: directory, throttle: false })
    const stored = await again
      .client()
      .send(new GetItemCommand({ TableName: 'full', Key: { pk: { N: String(refused[0]?.number) } } }))
    expect(stored.Item?.payload?.S).toBe(payload)
    await again.close()
  },
)

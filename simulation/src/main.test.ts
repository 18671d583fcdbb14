import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/** As it was compiled: Node does not start from the sources. */
const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'isotherm-simulate-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function simulate(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', MAIN, ...args], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { code: status, out: stdout, err: stderr }
}

describe('npm run simulate', () => {
  it.each([
    { args: ['--lateness', 'abc'] },
    { args: ['--bogus'] },
    { args: ['--mutant', 'nosuch'] },
    { args: ['--mutants', '--write', '/nosuch/document.md'] },
    { args: ['--record', '/nosuch/record.jsonl'] },
  ])('ends with one line and code 2 for $args', ({ args }) => {
    const { code, out, err } = simulate(...args)
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toMatch(/^simulate: .*\.\n$/)
    expect(err).toContain(args.at(-1))
  })

  it('tells its options', () => {
    const { code, out } = simulate('-h')
    expect(code).toBe(0)
    expect(out).toContain('plain-writers')
  })

  it('goes on where a record ends, and does not run again what is in it', () => {
    const record = join(folder, 'record.jsonl')
    const document = join(folder, 'document.md')
    writeFileSync(document, '<!-- begin of the clean runs -->\n<!-- end of the clean runs -->\n')
    const args = ['--seeds', '2', '--seconds', '1', '--jobs', '1', '--record', record, '--write', document]
    const { code, out } = simulate(...args)
    expect(code).toBe(0)
    expect(out).toContain('seeds 1 to 2,')
    expect(out).toMatch(/nothing was broken in 2 seeds\n$/)
    expect(simulate(...args, '--from', '2')).toEqual({
      code: 2,
      out: '',
      err: "simulate: --from is '2', and the seeds 1 to 2 are in the record already, with this library and 1 s of load; leave --from out, or say 3.\n",
    })
    expect(simulate(...args)).toMatchObject({ code: 0, out: expect.stringContaining('seeds 3 to 4,') })
  })
})

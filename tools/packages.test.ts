import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'isotherm-packages-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** An ESM-only package cannot resolve without ESM support, and CommonJS loads it with `require(esm)`. */
const OTHER_WORLDS = new Set(['node10', 'node16-cjs'])

/** The files that `npm publish` would send. */
function packed(workspace: string): ArrayBuffer {
  const before = new Set(readdirSync(folder))
  const args = ['pack', `--workspace=${workspace}`, `--pack-destination=${folder}`]
  execFileSync('npm', args, { cwd: root, stdio: ['ignore', 'ignore', 'ignore'] })
  const [tarball] = readdirSync(folder).filter((file) => !before.has(file))
  const { buffer, byteOffset, byteLength } = readFileSync(join(folder, tarball ?? ''))
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer
}

describe.each(['isotherm', '@isotherm/runtime', '@isotherm/semantics'])(
  'the package %s as published',
  (workspace) => {
    const tarball = packed(workspace)

    it('has nothing that publint complains of', async () => {
      const { messages, pkg = {} } = await publint({ pack: { tarball }, level: 'warning' })
      expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
    })

    it('has no mark of a planted bug', () => {
      const tarred = createPackageFromTarballData(new Uint8Array(tarball))
      const files = tarred.listFiles().filter((path) => path.endsWith('.js'))
      expect(files.length).toBeGreaterThan(1)
      expect(files.filter((path) => tarred.readFile(path).includes('mark: '))).toEqual([])
    })

    it('has types that are found from every entry, by bundlers and by Node, as an ESM-only package', async () => {
      const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)))
      expect(analysis.types).toMatchObject({ kind: 'included' })
      if (!('problems' in analysis)) throw new Error(`${workspace} has no types`)
      const problems = analysis.problems.filter(
        (problem) => !('resolutionKind' in problem && OTHER_WORLDS.has(problem.resolutionKind)),
      )
      expect(problems).toEqual([])
      for (const entry of Object.values(analysis.entrypoints)) {
        expect(entry.resolutions['node16-esm'].resolution?.fileName).toMatch(/\.d\.ts$/)
        expect(entry.resolutions.bundler.resolution?.fileName).toMatch(/\.d\.ts$/)
      }
    })
  },
)

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { publishedVersions, requireVersion, tarballsIn } from './release-version.js'

const TWO = [
  { name: 'isotherm', version: '0.2.0' },
  { name: '@isotherm/cli', version: '0.2.0' },
]

it('all packages have one version, which a tag of that version names', () => {
  const [first] = publishedVersions()
  expect(() => requireVersion(`v${first?.version}`)).not.toThrow()
})

it.each(['v0.2.1', '0.2.0', ''])('a tag of another version is refused: %j', (tag) => {
  expect(() => requireVersion(tag, TWO)).toThrow('isotherm has the version 0.2.0')
})

it('a package with another version is named', () => {
  const late = [...TWO, { name: '@isotherm/local', version: '0.1.0' }]
  expect(() => requireVersion('v0.2.0', late)).toThrow('@isotherm/local has the version 0.1.0')
})

it('tarballs are listed in the order of publishing, under the names that npm gives them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-tarballs-'))
  const paths = ['isotherm-0.2.0.tgz', 'isotherm-cli-0.2.0.tgz'].map((name) => join(folder, name))
  expect(() => tarballsIn(folder, TWO)).toThrow('is missing')
  for (const path of paths) writeFileSync(path, '')
  expect(tarballsIn(folder, TWO)).toEqual(paths)
  rmSync(folder, { recursive: true })
})

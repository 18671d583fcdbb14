import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { readCredentialsFile } from './credentials-file.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'isotherm-credentials-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => {
  vi.unstubAllEnvs()
})

function file(text: string): string {
  const path = join(folder, 'credentials')
  writeFileSync(path, text)
  return path
}

describe('a credentials file', () => {
  it('gives the keys of all its profiles', () => {
    const path = file(
      '# mine\n[default]\naws_access_key_id = AKIDONE\naws_secret_access_key=s/one+=\n\n[ci]\r\naws_secret_access_key = two\r\naws_access_key_id = AKIDTWO\r\nregion = eu-west-1\n[sso]\nsso_session = x\n',
    )
    expect(readCredentialsFile(path)).toEqual([
      { accessKeyId: 'AKIDONE', secretAccessKey: 's/one+=' },
      { accessKeyId: 'AKIDTWO', secretAccessKey: 'two' },
    ])
  })

  it('may be in the home directory, where no shell replaces the tilde', () => {
    file('[default]\naws_access_key_id = AKIDONE\naws_secret_access_key = one\n')
    vi.stubEnv('HOME', folder)
    expect(readCredentialsFile('~/credentials')).toHaveLength(1)
  })

  it('is refused when it has no key, or is not there', () => {
    expect(() => readCredentialsFile(file('[default]\naws_access_key_id = AKIDONE\n'))).toThrow(
      /must have a profile with aws_access_key_id and aws_secret_access_key\.$/,
    )
    expect(() => readCredentialsFile(join(folder, 'nowhere'))).toThrow(
      /^--credentials .* cannot be read: ENOENT/,
    )
    const option = 'callers.credentialsFile'
    expect(() => readCredentialsFile(join(folder, 'nowhere'), option)).toThrow(
      /^callers\.credentialsFile is /,
    )
    expect(() => readCredentialsFile(file(''), option)).toThrow(/^callers\.credentialsFile is /)
  })
})

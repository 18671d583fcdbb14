import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import type { AccessKey } from '@isotherm/local'
import { CommandError } from './command-error.js'

/**
 * The access keys of all profiles in a file such as `~/.aws/credentials`. It is a file rather than a flag, because
 * every user of the machine can see command lines.
 * https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html
 *
 * @param path may begin with `~/`, which no shell replaces in a configuration
 * @param option the option that names the file, for messages
 * @throws CommandError for a file that cannot be read or contains no key.
 */
export function readCredentialsFile(path: string, option = '--credentials'): readonly AccessKey[] {
  const keys = new Map<string, { accessKeyId?: string; secretAccessKey?: string }>()
  let profile = ''
  for (const line of readText(path, option).split(/\r?\n/)) {
    const heading = /^\s*\[\s*(.+?)\s*\]/.exec(line)
    profile = heading?.[1] ?? profile
    const [, name, value] = /^\s*(aws_access_key_id|aws_secret_access_key)\s*=\s*(\S+)/.exec(line) ?? []
    if (value === undefined) continue
    const key = name === 'aws_access_key_id' ? { accessKeyId: value } : { secretAccessKey: value }
    keys.set(profile, { ...keys.get(profile), ...key })
  }
  const complete = [...keys.values()].flatMap(({ accessKeyId, secretAccessKey }) =>
    accessKeyId === undefined || secretAccessKey === undefined ? [] : [{ accessKeyId, secretAccessKey }],
  )
  if (complete.length > 0) return complete
  throw new CommandError(
    `${option} is '${path}'; the file must have a profile with aws_access_key_id and aws_secret_access_key.`,
  )
}

function readText(path: string, option: string): string {
  try {
    return readFileSync(path.replace(/^~(?=\/)/, homedir()), 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(`${option} is '${path}'; the file cannot be read: ${reason}.`)
  }
}

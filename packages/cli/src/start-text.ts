import type { CheckProgress } from 'isotherm/search'
import { CommandError } from './command-error.js'

type StartKey = NonNullable<CheckProgress['startKey']>

/** A key as one word without characters that a shell reads: ids may have quotes and spaces. */
export function startText(key: StartKey): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

/** The key with these two attributes that the text was made of. @throws CommandError */
export function startKeyOf(text: string, names: readonly [string, string]): StartKey {
  const key = parsed(text)
  const entries = Object.entries(Object(key) as Record<string, unknown>)
  const isKey = names.every((name) => entries.some(([own, value]) => own === name && isText(value)))
  if (isKey && entries.length === names.length) return key as StartKey
  throw new CommandError(
    `--start is '${text}'; it must be the text that a check of this table printed when it was ended.`,
  )
}

function isText(value: unknown): boolean {
  return typeof Object(value).S === 'string'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}

import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { CommandError } from './command-error.js'

/** Larger files are no templates, and would not fit into memory with what is made of them. */
const MAX_BYTES = 512 * 1024 * 1024

/**
 * The text of a file, or of standard input for `-`, without the byte order mark that editors put before it. Logs are often compressed
 * with gzip, and files of text never begin like those.
 *
 * @throws CommandError
 */
export function readText(path: string): string {
  try {
    const read = readFileSync(path === '-' ? 0 : path)
    const isGzip = read[0] === 0x1f && read[1] === 0x8b
    const bytes = isGzip ? gunzipSync(read, { maxOutputLength: MAX_BYTES }) : read
    if (bytes.length <= MAX_BYTES) return bytes.toString('utf8').replace(/^\uFEFF/, '')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    throw new CommandError(`The file ${path} cannot be read (${code}).`, undefined, { cause })
  }
  throw new CommandError(
    `The file ${path} is larger than 512 MB, the most that can be read. Give a part of it.`,
  )
}

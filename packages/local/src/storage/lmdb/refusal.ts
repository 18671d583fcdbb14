import { LocalError, type LocalErrorCode } from '../../errors/local-error.js'

/** The error for a data directory that is not opened. @param what the rule and the cure, as the rest of a sentence. */
export function refusal(
  code: LocalErrorCode,
  directory: string,
  what: string,
  details: { readonly [name: string]: unknown } = {},
  cause?: unknown,
): LocalError {
  return new LocalError(code, `The data directory ${directory} ${what}`, { directory, ...details }, cause)
}

/** The command's exit codes, which follow the usual conventions. */
export const EXIT_OK = 0
export const EXIT_FAILED = 1
export const EXIT_USAGE = 2
/** 128 + the number of SIGINT. */
export const EXIT_INTERRUPTED = 130

/** Ends the command with one sentence that names the value, the rule and the cure. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: number

  constructor(message: string, exitCode: number = EXIT_USAGE, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

/** Wrong usage for an option that the library refuses; a failure for a state that it meets, such as a change under way. */
export function exitCodeOf({ code }: { readonly code: string }): number {
  return code.startsWith('options.') ? EXIT_USAGE : EXIT_FAILED
}

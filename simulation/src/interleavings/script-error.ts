/** Where a script stands on disk, for messages that editors and terminals link. */
export interface ScriptPlace {
  readonly file: string
  readonly line: number
}

/** A script that cannot be read, or an expectation in it that does not hold. The message begins with the file and the line. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError'
  readonly line: number
  /** Without the place: the same for the same failure on another line. */
  readonly reason: string

  constructor({ file, line }: ScriptPlace, reason: string, options?: ErrorOptions) {
    super(`${file}:${line}: ${reason}`, options)
    this.line = line
    // The script is what failed, and not the code that runs it.
    this.stack = `${this.name}: ${this.message}\n    at ${file}:${line}:1`
    this.reason = reason
  }
}

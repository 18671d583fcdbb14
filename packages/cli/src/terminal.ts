import type { WriteStream } from 'node:tty'

/** The command's output: results go to `out`, everything else to `err`. */
export interface Terminal {
  readonly out: NodeJS.WritableStream
  readonly err: NodeJS.WritableStream
  /** `err`, if it is a terminal on which a display can be redrawn. */
  readonly display: WriteStream | undefined
}

export function processTerminal(): Terminal {
  const { stdout, stderr } = process
  // A dumb terminal, such as a shell in an editor, prints what moves the cursor.
  const canRedraw = stderr.isTTY && process.env.TERM !== 'dumb'
  return { out: stdout, err: stderr, display: canRedraw ? stderr : undefined }
}

/** Where people read. With `--json` that is never standard output, which has the line of JSON alone. */
export function forPeople(terminal: Terminal, isJson: boolean | undefined): Terminal {
  return isJson === true ? { ...terminal, out: terminal.err } : terminal
}

export function writeLine(stream: NodeJS.WritableStream, line = ''): void {
  stream.write(`${line}\n`)
}

/** Text of a log or a flag without the control characters that a terminal would execute. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD')
}

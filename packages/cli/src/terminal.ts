import type { WriteStream } from 'node:tty'

/** Where a command's words go: results to `out`, everything else to `err`. */
export interface Terminal {
  readonly out: NodeJS.WritableStream
  readonly err: NodeJS.WritableStream
  /** `err`, where it is a terminal that a display can be redrawn on. */
  readonly display: WriteStream | undefined
}

export function processTerminal(): Terminal {
  const { stdout, stderr } = process
  return { out: stdout, err: stderr, display: stderr.isTTY ? stderr : undefined }
}

export function writeLine(stream: NodeJS.WritableStream, line = ''): void {
  stream.write(`${line}\n`)
}

/** Text of a log or a flag without what a terminal would obey. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD')
}

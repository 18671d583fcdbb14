import { readFileSync, writeFileSync } from 'node:fs'
import { CommandError } from '../command-error.js'

/** The part of a document that is made by a command, between two markers. */
export class MarkedSection {
  readonly #path: string
  readonly #begin: string
  readonly #end: string

  /** @throws CommandError where there is no such part: what takes hours shall not end with that */
  constructor(path: string, name: string) {
    this.#path = path
    this.#begin = `<!-- begin of the ${name} -->\n`
    this.#end = `<!-- end of the ${name} -->`
    this.#around()
  }

  /** Puts lines in the place of those that are there. @throws CommandError */
  write(lines: readonly string[]): void {
    const [before, after] = this.#around()
    writeFileSync(
      this.#path,
      [before, this.#begin, ...lines.map((line) => `${line}\n`), this.#end, after].join(''),
    )
  }

  #around(): readonly [before: string, after: string] {
    const text = this.#text()
    const from = text.indexOf(this.#begin)
    const to = text.indexOf(this.#end, from)
    if (from === -1 || to === -1) {
      const markers = `${this.#begin.trimEnd()} and, behind it, ${this.#end}`
      throw new CommandError(`--write is '${this.#path}'; it must hold ${markers}.`)
    }
    return [text.slice(0, from), text.slice(to + this.#end.length)]
  }

  #text(): string {
    try {
      return readFileSync(this.#path, 'utf8')
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      throw new CommandError(
        `--write is '${this.#path}'; it must be a document that can be read (${code}).`,
        { cause },
      )
    }
  }
}

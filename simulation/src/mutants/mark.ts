import type { SourceFile } from './library-source.js'
import { type Comment, parsedFile, type Syntax } from './syntax.js'

/**
 * A name in the library's source for the code behind it, which a mutant can replace:
 *
 *     // mark: view-has-an-end
 *     if (clock.now() >= validUntil) throw new StaleView()
 *
 * It marks the statement, property or element that begins on the next line, or, written as a block comment within a line, the
 * whole expression that begins behind it.
 */
export interface Mark {
  readonly name: string
  readonly file: SourceFile
  readonly line: number
  readonly code: Syntax
}

const MARK = /^\s*mark:(.*)$/s
const NAME = /^[a-z]+(-[a-z]+)*$/

/**
 * All marks, by their names.
 * @throws Error for a mark whose name is malformed or is used twice, and for one with no code behind it
 */
export function readMarks(files: readonly SourceFile[]): ReadonlyMap<string, Mark> {
  const marks = new Map<string, Mark>()
  for (const mark of files.flatMap(marksOf)) {
    const other = marks.get(mark.name)
    if (other !== undefined) {
      throw new Error(
        `The mark "${mark.name}" stands at ${placeOf(other)} and at ${placeOf(mark)}. Each name is for one place: rename one of them.`,
      )
    }
    marks.set(mark.name, mark)
  }
  return marks
}

/** As editors and terminals link it. */
export function placeOf({ file, line }: Pick<Mark, 'file' | 'line'>): string {
  return `packages/isotherm/src/${file.path}:${line}`
}

function marksOf(file: SourceFile): readonly Mark[] {
  // Most files have no mark, and parsing them takes a second in all.
  if (!file.text.includes('mark:')) return []
  const { program, comments } = parsedFile(file)
  return comments.flatMap((comment) => {
    const name = MARK.exec(comment.text)?.[1]?.trim()
    if (name === undefined) return []
    const line = file.text.slice(0, comment.start).split('\n').length
    const place = placeOf({ file, line })
    if (!NAME.test(name)) {
      throw new Error(`The mark "${name}" at ${place} must be lower-case words joined by hyphens.`)
    }
    const start = codeAfter(file.text, comment, comments)
    const code = outermostAt(program, start)
    if (code === undefined) throw new Error(`The mark "${name}" at ${place} has no code behind it.`)
    return [{ name, file, line, code }]
  })
}

/** Where code begins behind the comment, and behind other comments that follow it. */
function codeAfter(text: string, comment: Comment, comments: readonly Comment[]): number {
  const start = comment.end + (/\S/.exec(text.slice(comment.end))?.index ?? 0)
  const next = comments.find((other) => other.start === start)
  return next === undefined ? start : codeAfter(text, next, comments)
}

/** The largest part of the code that begins there, but for the whole file. */
function outermostAt(syntax: Syntax, start: number): Syntax | undefined {
  for (const child of syntax.children) {
    if (child.start === start) return child
    if (child.start < start && start < child.end) return outermostAt(child, start)
  }
  return undefined
}

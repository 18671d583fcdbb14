import { librarySources, type SourceFile } from './library-source.js'
import { type Mark, placeOf, readMarks } from './mark.js'
import { type MarkedCode, markedCode } from './marked-code.js'
import type { Mutant } from './mutant.js'
import { parsedFile } from './syntax.js'

let marks: ReadonlyMap<string, Mark> | undefined

/** The marks of the library, which are read once. */
export function libraryMarks(): ReadonlyMap<string, Mark> {
  marks ??= readMarks(librarySources())
  return marks
}

/**
 * The file of the library that the bug is in, with the bug.
 * @throws Error where the mark is missing, has other code behind it, or does not take the replacement
 */
export function plantedFile(
  { name, mark: markName, kind, becomes }: Pick<Mutant, 'name' | 'mark' | 'kind' | 'becomes'>,
  known = libraryMarks(),
): SourceFile {
  const mark = known.get(markName)
  if (mark === undefined) {
    throw new Error(
      `The mutant "${name}" needs the mark "${markName}", which is nowhere in the library's source. Write "// mark: ${markName}" before the code that it is about.`,
    )
  }
  const { path, text } = mark.file
  const code = explained(name, () => markedCode(mark, kind))
  const replacement = becomes.replaceAll('$&', () => text.slice(code.start, code.end))
  const end = becomes === '' ? behindComma(text, code) : code.end
  const planted = { path, text: `${text.slice(0, code.start)}${replacement}${text.slice(end)}` }
  explained(name, () => parsedFile(planted), `Its replacement does not fit at ${placeOf(mark)}: `)
  return planted
}

/** Of a list, an element goes with the comma behind it. */
function behindComma(text: string, { end }: MarkedCode): number {
  return end + (/^\s*,/.exec(text.slice(end))?.[0].length ?? 0)
}

function explained<T>(mutant: string, work: () => T, reason = ''): T {
  try {
    return work()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new Error(`The mutant "${mutant}" does not fit any more. ${reason}${message}`, { cause: error })
  }
}

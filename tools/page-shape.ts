/** What a page and its translation have in common. */
export interface PageShape {
  /** The level of each heading. */
  readonly levels: readonly number[]
  readonly titles: readonly string[]
  /** Blocks of code and generated sections: they are the same in every language. */
  readonly blocks: readonly string[]
  /** The number of rows of each table. */
  readonly tableRows: readonly number[]
}

/** A section between the marks of a command that writes it, a fenced block, or lines that are indented by four spaces. */
const BLOCKS =
  /^<!-- (figures|start-up)[^\n]*-->\n.*?^<!-- \/\1 -->$|^(```|~~~).*?^\2$|^(?: {4}\S[^\n]*(?:\n|$))+/gms

export function shapeOf(text: string): PageShape {
  const prose = text.replaceAll(BLOCKS, '')
  const headings = [...prose.matchAll(/^(#{1,6}) (.+)$/gm)]
  const tables = [...prose.matchAll(/(?:^\|.*\|$\n?)+/gm)]
  return {
    levels: headings.map(([, marks = '']) => marks.length),
    titles: headings.map(([, , title = '']) => title),
    blocks: [...text.matchAll(BLOCKS)].map(([block]) => block.trimEnd()),
    tableRows: tables.map(([table]) => table.trimEnd().split('\n').length),
  }
}

/** The titles of the English page when it was translated, from the first line of the translation. */
export function translatedTitles(text: string): readonly string[] {
  return /^<!-- English: (.*) -->$/m.exec(text)?.[1]?.split(' / ') ?? []
}

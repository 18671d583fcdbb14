/** One line of a script, and the rules below it. */
export interface ScriptLine {
  readonly text: string
  readonly rules: readonly string[]
}

/** The text of a script. */
export function scriptText(lines: readonly ScriptLine[]): string {
  return lines
    .map(({ text, rules }) => [text, ...rules.map((rule) => `  ${rule}`)].join('\n'))
    .join('\n')
    .concat('\n')
}

export function plainLine(text: string): ScriptLine {
  return { text, rules: [] }
}
